// Prints elements, each as a page of its own, with nothing of the screen around them.

import classes from './print-sheet.module.css';

/**
 * Prints pages on paper whose size is given as style sheets write it: `210mm 297mm`. On another paper a browser would
 * shrink the page.
 */
export function printSheet(pages: readonly HTMLElement[], paper: string): void {
  const sheet = document.createElement('div');
  sheet.className = classes.sheet ?? '';
  sheet.setAttribute('aria-hidden', 'true');
  sheet.append(...pages);
  const rules = new CSSStyleSheet();
  rules.replaceSync(`@page { size: ${paper}; margin: 0; }`);
  document.adoptedStyleSheets.push(rules);
  document.body.append(sheet);
  document.documentElement.dataset.printing = 'true';
  print();
  delete document.documentElement.dataset.printing;
  sheet.remove();
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== rules);
}
