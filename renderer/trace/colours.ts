// The colours of ECG paper as the theme has them now.

export interface TraceColours {
  readonly screen: string;
  readonly fine: string;
  readonly strong: string;
  readonly trace: string;
  readonly words: string;
  readonly mark: string;
  readonly pace: string;
  readonly alarm: string;
  readonly strongLine: string;
}

export function traceColours(element: HTMLElement): TraceColours {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return {
    screen: of('--screen'),
    fine: of('--grid-fine'),
    strong: of('--grid-strong'),
    trace: of('--trace'),
    words: of('--text'),
    mark: of('--warn-line'),
    pace: of('--accent'),
    alarm: of('--bad'),
    strongLine: of('--text2'),
  };
}
