/**
 * The visual design of pages: colors for light and dark, and common elements. Graph pages contain it; the playground
 * imports it.
 */
export const DESIGN = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#ffffff, #0d1117); --panel: light-dark(#f6f8fa, #151b23); --raised: light-dark(#eaeef2, #212830);
  --fg: light-dark(#1f2328, #e6edf3); --muted: light-dark(#59636e, #9198a1); --line: light-dark(#d1d9e0, #3d444d);
  --accent: light-dark(#0969da, #58a6ff); --edge: light-dark(#8c96a3, #6e7681);
  --none: light-dark(#818b98, #7d8590); --none-fill: light-dark(#f6f8fa, #1c2128);
  --create: light-dark(#1a7f37, #3fb950); --create-fill: light-dark(#dafbe1, #12261e);
  --update: light-dark(#855c00, #d29922); --update-fill: light-dark(#fff8c5, #272115);
  --replace: light-dark(#8250df, #bc8cff); --replace-fill: light-dark(#fbefff, #271d3b);
  --delete: light-dark(#cf222e, #f85149); --delete-fill: light-dark(#ffebe9, #301519);
  --read: light-dark(#0969da, #58a6ff); --read-fill: light-dark(#ddf4ff, #111d2e);
  --forget: light-dark(#59636e, #9198a1); --forget-fill: light-dark(#eaeef2, #262c36);
}
* { box-sizing: border-box }
body { margin: 0; font: 14px/1.45 system-ui, sans-serif; color: var(--fg); background: var(--bg) }
h1 { font-size: 18px; margin: 0; overflow-wrap: anywhere }
h2 { font-size: 15px; margin: 0 0 6px; overflow-wrap: anywhere }
h3 { font-size: 13px; margin: 14px 0 4px }
p { margin: 0 }
button, input, select { font: inherit; color: inherit; background: var(--bg); border: 1px solid var(--line); border-radius: 6px; padding: 5px 10px }
button { background: var(--panel); cursor: pointer }
button:hover { background: var(--raised) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
pre { margin: 0; font: 12.5px/1.5 ui-monospace, monospace; white-space: pre; overflow-x: auto }
.add { color: var(--create) } .del { color: var(--delete) } .chg { color: var(--update) }
@media (min-width: 1920px) { body { font-size: 16px } pre { font-size: 14px } }
`;
