/** The styles of all pages. Colors follow the setting of the system. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --text: #1b1f24; --muted: #57606a; --page: #ffffff; --panel: #f6f8fa; --line: #d0d7de; --shadow: #1b1f2440;
  --link: #0b57b7; --primary: #1a5fb4; --on-primary: #ffffff;
  --good: #116329; --bad: #b3261e; --waiting: #7a4d00; --active: #0b57b7; --ended: #57606a;
  font: 16px/1.5 system-ui, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6edf3; --muted: #9da7b3; --page: #0d1117; --panel: #161b22; --line: #30363d; --shadow: #79b8ff40;
    --link: #79b8ff; --primary: #1f6feb; --on-primary: #ffffff;
    --good: #56d364; --bad: #ff7b72; --waiting: #e3b341; --active: #79b8ff; --ended: #9da7b3;
  }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--page); overflow-wrap: break-word; }
h1, h2, .crumbs, .changes code, .facts dd, .problem, .user, code { overflow-wrap: anywhere; }
header { display: flex; align-items: center; gap: 1rem; padding: .5rem 1rem; background: var(--panel); border-bottom: 1px solid var(--line); }
header form { margin: 0; }
.brand { font-weight: 700; color: var(--text); text-decoration: none; margin-right: auto; }
.user { color: var(--muted); }
main, nav[aria-label="Breadcrumbs"] { max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
main { padding-bottom: 4rem; }
main:focus { outline: none; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .75rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.25rem 0 .5rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--page); }
.skip:focus { left: 0; z-index: 1; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.crumbs { display: flex; flex-wrap: wrap; list-style: none; margin: .75rem 0 0; padding: 0; font-size: .9rem; }
.crumbs li + li::before { content: "/"; color: var(--muted); margin: 0 .5rem; }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
.tabs a { padding: .4rem 0; text-decoration: none; border-bottom: 3px solid transparent; }
.tabs a[aria-current="page"] { border-color: var(--link); font-weight: 600; color: var(--text); }
.cards { list-style: none; padding: 0; display: grid; gap: .5rem; }
.cards a { display: block; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); }
.scroll {
  overflow-x: auto; margin: .5rem 0;
  /* Shadows at the sides behind which there are more columns. */
  background:
    linear-gradient(to right, var(--page) 1.5rem, transparent) left / 3rem 100% local no-repeat,
    linear-gradient(to left, var(--page) 1.5rem, transparent) right / 3rem 100% local no-repeat,
    linear-gradient(to right, var(--shadow), transparent) left / 1rem 100% scroll no-repeat,
    linear-gradient(to left, var(--shadow), transparent) right / 1rem 100% scroll no-repeat;
}
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); }
tbody th { font-weight: 500; min-width: 10rem; overflow-wrap: anywhere; }
td { min-width: 6rem; }
td > code { display: inline-block; min-width: 12rem; }
time { white-space: nowrap; }
thead th { color: var(--muted); font-weight: 600; font-size: .85rem; white-space: nowrap; }
td form { display: flex; align-items: baseline; gap: .5rem; margin: 0; }
code, pre { font: .9em/1.45 ui-monospace, monospace; }
pre { margin: .5rem 0; padding: .75rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; overflow: auto; max-height: 32rem; white-space: pre-wrap; tab-size: 4; }
.badge { display: inline-block; padding: .05rem .55rem; border: 1px solid currentColor; border-radius: 1rem; font-size: .85rem; font-weight: 600; white-space: nowrap; color: var(--active); }
.badge.good { color: var(--good); } .badge.bad { color: var(--bad); }
.badge.waiting { color: var(--waiting); } .badge.ended { color: var(--ended); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0; }
.facts dt { color: var(--muted); } .facts dd { margin: 0; }
.digest { font-size: .8rem; }
.timeline { list-style: none; padding: 0; margin: 0; border-left: 2px solid var(--line); }
.timeline li { padding: .15rem 0 .15rem 1rem; position: relative; display: flex; flex-wrap: wrap; gap: 0 1rem; }
.timeline li::before { content: ""; position: absolute; left: -6px; top: .6rem; width: 10px; height: 10px; border-radius: 50%; background: var(--active); }
.timeline span { min-width: 12rem; font-weight: 500; }
.timeline time { color: var(--muted); }
.counts { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; list-style: none; padding: 0; font-weight: 600; }
.changes { list-style: none; padding: 0; margin: 0; }
.changes > li { padding: .4rem .75rem; border-left: 4px solid var(--line); margin: .35rem 0; background: var(--panel); }
.changes.destroy > li, .changes.replace > li, .changes.forget > li { border-color: var(--bad); }
.changes.update > li { border-color: var(--waiting); }
.changes.create > li, .changes.import > li { border-color: var(--good); }
.counts .destroy, .counts .replace, .counts .forget { color: var(--bad); }
.counts .update { color: var(--waiting); } .counts .create { color: var(--good); }
.cause { margin: .1rem 0; color: var(--muted); }
summary { cursor: pointer; padding: .25rem 0; }
.problem { border-left: 4px solid var(--bad); padding: .5rem .75rem; background: var(--panel); }
.actions { border: 1px solid var(--line); border-radius: 6px; padding: 0 1rem 1rem; margin-top: 1.5rem; }
.actions h2 { margin-top: .75rem; }
.actions form { margin-top: .5rem; }
.stacked { display: grid; gap: .35rem; justify-items: start; max-width: 32rem; }
.stacked input { width: 100%; }
.inline, .search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
input { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--muted); border-radius: 6px; padding: .4rem .6rem; max-width: 100%; }
button { font: inherit; color: var(--text); background: var(--panel); border: 1px solid var(--muted); border-radius: 6px; padding: .4rem .9rem; cursor: pointer; min-height: 2.4rem; }
button:hover { border-color: var(--text); }
button.primary { background: var(--primary); border-color: var(--primary); color: var(--on-primary); font-weight: 600; }
button.danger { color: var(--bad); border-color: var(--bad); }
button.quiet { background: none; border-color: transparent; color: var(--link); }
td button { padding: .1rem .6rem; min-height: 1.8rem; }
.pages { display: flex; gap: 1.5rem; margin: 1rem 0; }
@media (max-width: 32rem) {
  h1 { font-size: 1.3rem; }
  .facts { grid-template-columns: 1fr; } .facts dd { margin-bottom: .35rem; }
  .timeline span { min-width: 0; }
}
`;

/**
 * The script of the run page: appends new output to open logs, and loads the page again when the status of the run
 * changes. Without it, the page has what was there when it was loaded.
 */
export const RUN_SCRIPT = `'use strict';
(() => {
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  async function follow(element) {
    let offset = element.dataset.offset;
    for (let failures = 0; failures < 20; ) {
      try {
        const response = await fetch(element.dataset.logUrl + '?offset=' + offset);
        if (!response.ok) throw new Error(String(response.status));
        const text = await response.text();
        const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 8;
        if (text !== '') element.append(text);
        if (isAtEnd) element.scrollTop = element.scrollHeight;
        offset = response.headers.get('x-terrane-next-offset');
        if (response.headers.get('x-terrane-complete') === 'true') return;
        failures = 0;
        await pause(text === '' ? 500 : 100);
      } catch {
        failures += 1;
        await pause(1000 * failures);
      }
    }
  }

  async function watch(run) {
    const known = run.dataset.status;
    for (let failures = 0; failures < 20; ) {
      try {
        const url = run.dataset.statusUrl + '?known=' + encodeURIComponent(known);
        const response = await fetch(url);
        if (!response.ok) throw new Error(String(response.status));
        const { status } = await response.json();
        if (status !== known) return changed();
        failures = 0;
        await pause(500);
      } catch {
        failures += 1;
        await pause(1000 * failures);
      }
    }
  }

  function changed() {
    const isWriting = [...document.querySelectorAll('input:not([type=hidden])')].some(
      (input) => input.value !== input.defaultValue,
    );
    if (!isWriting) return location.reload();
    const link = document.createElement('a');
    link.href = location.href;
    link.textContent = 'The run has changed. Load the page again.';
    document.getElementById('status').append(' ', link);
  }

  for (const element of document.querySelectorAll('[data-log-url]')) {
    element.scrollTop = element.scrollHeight;
    void follow(element);
  }
  const run = document.querySelector('[data-status-url]');
  if (run !== null) void watch(run);
})();
`;
