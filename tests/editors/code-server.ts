import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const FOLDER = join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'terrane-servers/code-server',
);
const ENTRY = join(FOLDER, 'node_modules/code-server/out/node/entry.js');

/** True if scripts/install-code-server.sh has installed VS Code. */
export const HAS_CODE_SERVER: boolean = existsSync(join(FOLDER, 'version'));

/** Settings of a VS Code without what distracts from an editor, and without requests of its own. */
const SETTINGS = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.editor.useModal': 'off',
  'workbench.editor.enablePreview': false,
  'window.commandCenter': false,
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'git.enabled': false,
  'editor.minimap.enabled': false,
  'editor.accessibilitySupport': 'off',
  'editor.cursorBlinking': 'solid',
  'editor.hover.delay': 100,
  'editor.fontSize': 14,
  'window.confirmBeforeClose': 'never',
};

/** A running VS Code. */
export interface CodeServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

function environment(work: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOME: join(work, 'home'),
    XDG_CONFIG_HOME: join(work, 'home/.config'),
    XDG_DATA_HOME: join(work, 'home/.local/share'),
    // The gallery would be asked for extensions; this port refuses connections.
    EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: 'http://127.0.0.1:9/', itemUrl: '' }),
    TF_CLI_CONFIG_FILE: undefined,
  };
}

/** Starts VS Code on a free port of 127.0.0.1, with one extension and files of its own in a folder. */
export async function startCodeServer(
  work: string,
  vsix: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<CodeServer> {
  const user = join(work, 'data/User');
  mkdirSync(user, { recursive: true });
  mkdirSync(join(work, 'home'), { recursive: true });
  writeFileSync(join(user, 'settings.json'), JSON.stringify({ ...SETTINGS, ...settings }));
  const folders = [
    `--user-data-dir=${join(work, 'data')}`,
    `--extensions-dir=${join(work, 'extensions')}`,
  ];
  const env = environment(work);
  execFileSync(process.execPath, [ENTRY, ...folders, '--install-extension', vsix], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const flags = ['--auth=none', '--disable-telemetry', '--disable-update-check'];
  const child = spawn(process.execPath, [ENTRY, ...folders, ...flags, '--bind-addr=127.0.0.1:0'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const url = await addressOf(child);
  return { url, close: () => stop(child) };
}

async function addressOf(child: ChildProcess): Promise<string> {
  let output = '';
  return await new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += String(chunk);
      const [, url] = /HTTP server listening on (http:\S+)/.exec(output) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('exit', (code) => reject(new Error(`code-server ended with ${code}: ${output}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // The extension hosts are in its process group.
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  await ended;
}

/** Reads the logs of the extension from the files of VS Code. */
export function readLogs(work: string): string {
  const logs = join(work, 'data/logs');
  if (!existsSync(logs)) return '';
  return execFileSync('find', [logs, '-name', '*Terrane*.log'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}
