import type { Host } from '@terrane/host';

/** The time after which a browser command is assumed to have succeeded. */
const PATIENCE_MS = 2000;

/**
 * Opens a page in the user's browser: the one in BROWSER, or the system's default. Returns false if there is no
 * browser.
 */
export async function openBrowser(
  { environment, spawn, clock }: Pick<Host, 'environment' | 'spawn' | 'clock'>,
  url: string,
): Promise<boolean> {
  for (const [program, ...args] of commands(environment.get('BROWSER'), environment.platform)) {
    if (program === undefined) continue;
    try {
      const { ended } = await spawn.start(program, [...args, url], {
        onStdout: () => undefined,
        onStderr: () => undefined,
      });
      const patience = clock.sleep(PATIENCE_MS).then(() => undefined);
      const end = await Promise.race([ended, patience]);
      if (end === undefined || end.code === 0) return true;
    } catch {
      // It is not there; another one may be.
    }
  }
  return false;
}

function commands(named: string | undefined, platform: string): readonly (readonly string[])[] {
  if (named !== undefined && named !== '') return [[named]];
  switch (platform) {
    case 'darwin':
      return [['open']];
    case 'win32':
      return [['rundll32', 'url.dll,FileProtocolHandler']];
    default:
      return [['xdg-open'], ['x-www-browser'], ['www-browser']];
  }
}
