import { createHash } from 'node:crypto';
import { ViewColumn, window } from 'vscode';

/** Shows a page of `graph -html` or `show -html`. Only the script of the page itself may run. */
export function showGraph(title: string, page: string): void {
  const panel = window.createWebviewPanel('terrane.graph', title, ViewColumn.Active, {
    enableScripts: true,
    retainContextWhenHidden: true,
    localResourceRoots: [],
  });
  const digests = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src ${digests.join(' ') || "'none'"}`;
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  panel.webview.html = page.replace(/<head>/i, (head) => `${head}${meta}`);
}
