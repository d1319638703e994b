// Whether the workstation was updated while a page was open. Tablets stay open for weeks, and yesterday's screens
// must not talk to today's workstation.

/** The first script of a start page; its name changes with its content and with everything it loads. */
const FIRST_SCRIPT = /<script type="module"[^>]* src="([^"]+)"/;

/** @throws TypeError where the workstation does not answer */
export async function isOutdated(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src;
  const page = await (await fetch('./', { cache: 'no-store' })).text();
  const [, offered] = FIRST_SCRIPT.exec(page) ?? [];
  return own !== undefined && offered !== undefined && new URL(offered, location.href).href !== own;
}
