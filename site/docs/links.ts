import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A page of the built site. */
export interface SitePage {
  /** relative to the site */
  readonly path: string;
  readonly text: string;
}

/** Returns a line for each link, script, style or image that leads to a missing file or heading of the site. */
export function linkProblems(site: string, pages: readonly SitePage[]): readonly string[] {
  const ids = new Map(
    pages.map(({ path, text }) => [
      path,
      new Set(Array.from(text.matchAll(/\sid="([^"]*)"/g), ([, id = '']) => decoded(id))),
    ]),
  );
  return pages.flatMap(({ path, text }) => {
    const links = new Set(
      Array.from(text.matchAll(/\s(?:href|src)="([^"]*)"/g), ([, link = '']) => decoded(link)),
    );
    return [...links].flatMap((link) => {
      if (/^(?:[a-z]+:|\/\/)/.test(link)) return [];
      const [target = '', anchor = ''] = link.split('#');
      const [file = ''] = target.split('?');
      const base = file.startsWith('/') ? '' : dirname(path);
      let found = file === '' ? path : join(base, file);
      if (file.endsWith('/')) found = join(found, 'index.html');
      found = found.replace(/^\//, '');
      if (!ids.has(found) && !existsSync(join(site, found)))
        return [`${path}: ${link} leads to nothing`];
      if (anchor === '' || ids.get(found)?.has(decodeURIComponent(anchor)) !== false) return [];
      return [`${path}: ${link} leads to no heading`];
    });
  });
}

function decoded(text: string): string {
  return text.replaceAll('&amp;', '&').replaceAll('&#38;', '&').replaceAll('&quot;', '"');
}
