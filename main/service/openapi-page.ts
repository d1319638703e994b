// The OpenAPI document as a page to read: plain HTML without scripts.

type Node = { readonly [key: string]: unknown };

const escapeHtml = (text: unknown): string =>
  String(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 3rem; text-transform: capitalize; }
section { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px; padding: 1rem 1.25rem; margin: 1rem 0; }
h3 { margin: 0 0 .25rem; font: 600 1rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
h4 { margin: 1rem 0 .25rem; font-size: .85rem; text-transform: uppercase; letter-spacing: .04em; opacity: .7; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
td { border-top: 1px solid color-mix(in srgb, currentColor 15%, transparent); padding: .35rem .75rem .35rem 0; vertical-align: top; overflow-wrap: anywhere; }
td:first-child { font-family: ui-monospace, monospace; width: 14rem; }
p { margin: .25rem 0; }
.method { display: inline-block; min-width: 3.2rem; }
nav { columns: 2; font-size: .9rem; }
nav a { display: block; }
@media (max-width: 40rem) { nav { columns: 1; } td:first-child { width: auto; } }
`;

/** A schema in a few words: type, range, choices. */
function describeSchema(schema: Node): string {
  const { type, format, minimum, maximum, minLength, maxLength, maxItems, pattern, description, items } =
    schema;
  const choices = schema.enum as readonly unknown[] | undefined;
  const range = (low: unknown, high: unknown): string =>
    `${low === undefined ? '' : `${low} `}…${high === undefined ? '' : ` ${high}`}`;
  const isWide = Math.abs(Number(maximum)) > Number.MAX_SAFE_INTEGER;
  const parts = [
    choices === undefined
      ? [type ?? 'any', format].filter((part) => part !== undefined).join(', ')
      : `one of ${choices.join(', ')}`,
    (minimum !== undefined || maximum !== undefined) && !isWide ? range(minimum, maximum) : undefined,
    minLength !== undefined || maxLength !== undefined
      ? `${range(minLength, maxLength)} characters`
      : undefined,
    maxItems === undefined ? undefined : `up to ${maxItems} items`,
    pattern === undefined ? undefined : `pattern ${pattern}`,
    description,
    items === undefined || Array.isArray(items) ? undefined : `each: ${describeSchema(items as Node)}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

const row = (...cells: readonly string[]): string =>
  `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;

function fieldsOf(schema: Node): string {
  const required = (schema.required as readonly string[] | undefined) ?? [];
  const fields = Object.entries((schema.properties as Record<string, Node> | undefined) ?? {});
  if (fields.length === 0)
    return `<p>${escapeHtml(schema.format === 'binary' ? 'bytes' : 'an empty object')}</p>`;
  return `<table>${fields.map(([name, field]) => row(name + (required.includes(name) ? ' *' : ''), describeSchema(field))).join('')}</table>`;
}

function contentOf(holder: Node | undefined, title: string): string {
  const content = holder?.content as Record<string, { schema: Node }> | undefined;
  if (content === undefined) return '';
  return Object.entries(content)
    .map(([type, { schema }]) => `<h4>${escapeHtml(title)} · ${escapeHtml(type)}</h4>${fieldsOf(schema)}`)
    .join('');
}

function operationOf(method: string, path: string, operation: Node): string {
  const parameters = operation.parameters as readonly {
    name: string;
    in: string;
    schema: Node;
    description?: string;
  }[];
  const responses = operation.responses as Record<string, Node>;
  const rows = parameters.map(({ name, in: place, schema, description }) =>
    row(
      `${name} *`,
      `${place}; ${describeSchema({ ...schema, description: description ?? schema.description })}`,
    ),
  );
  const refusals = Object.entries(responses).filter(([status]) => status !== '200');
  return `<section id="${escapeHtml(operation.operationId)}">
<h3><span class="method">${method.toUpperCase()}</span> ${escapeHtml(path)}</h3>
<p>${escapeHtml(operation.summary)} ${escapeHtml(operation.description ?? 'Any valid token.')}</p>
${rows.length === 0 ? '' : `<h4>Parameters</h4><table>${rows.join('')}</table>`}
${contentOf(operation.requestBody as Node | undefined, 'Request')}
${contentOf(responses['200'], 'Answer 200')}
<h4>Errors</h4><table>${refusals.map(([status, { description }]) => row(status, String(description))).join('')}</table>
</section>`;
}

export function openApiPage(document: Node): string {
  const info = document.info as Node;
  const all = Object.entries(document.paths as Record<string, Record<string, Node>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method,
        operation,
        group: (operation.tags as readonly string[])[0] ?? '',
      })),
  );
  const groups = [...new Set(all.map(({ group }) => group))];
  const links = all.map(
    ({ path, method, operation }) =>
      `<a href="#${escapeHtml(operation.operationId)}">${method.toUpperCase()} ${escapeHtml(path)}</a>`,
  );
  const sections = groups.map(
    (group) =>
      `<h2>${escapeHtml(group)}</h2>${all
        .filter((each) => each.group === group)
        .map(({ path, method, operation }) => operationOf(method, path, operation))
        .join('\n')}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(info.title)}</title><style>${PAGE_STYLE}</style></head><body>
<h1>${escapeHtml(info.title)}</h1>
<p>Every operation needs the header <code>X-Api-Token</code>. Every error is JSON: <code>message</code> for people, <code>reason</code> for programs. Fields with * are required. The same as a document: <a href="/docs/openapi.json">openapi.json</a>.</p>
<nav>${links.join('')}</nav>
${sections.join('\n')}
</body></html>`;
}
