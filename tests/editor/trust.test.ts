import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { LspProcess } from '../editors/lsp-process.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/terrane');

const MAIN = `terraform {
  required_providers {
    probe = {
      source = "example.com/test/probe"
    }
  }
}

resource "probe_thing" "a" {}

output "b" {
  value = var.none
}
`;

/** A workspace whose provider leaves a file when it is started. */
function workspace(): {
  readonly folder: string;
  readonly marker: string;
  readonly settings: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'terrane-trust-'));
  const plugins = join(folder, 'plugins');
  const marker = join(folder, 'started');
  const settings = join(folder, 'terrane.tfrc');
  mkdirSync(plugins);
  mkdirSync(join(folder, 'module'));
  writeFileSync(join(plugins, 'terraform-provider-probe'), `#!/bin/sh\n: > '${marker}'\nexit 1\n`, {
    mode: 0o755,
  });
  writeFileSync(
    settings,
    `provider_installation {\n  dev_overrides {\n    "example.com/test/probe" = "${plugins}"\n  }\n  direct {}\n}\n`,
  );
  writeFileSync(join(folder, 'module/main.tf'), MAIN);
  return { folder, marker, settings };
}

/** Opens the workspace until its errors are reported; `until` is awaited before the server ends. */
async function edit(
  trusted: boolean,
  { folder, settings }: ReturnType<typeof workspace>,
  until: () => Promise<void>,
): Promise<void> {
  const environment = { ...process.env, TF_CLI_CONFIG_FILE: settings };
  const server = new LspProcess(PROGRAM, ['lsp'], { cwd: folder, environment });
  try {
    await server.request('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      initializationOptions: { trusted },
      capabilities: {},
    });
    server.notify('initialized', {});
    const uri = pathToFileURL(join(folder, 'module/main.tf')).href;
    server.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'terraform', version: 1, text: MAIN },
    });
    await server.next<{ readonly uri: string; readonly diagnostics: readonly unknown[] }>(
      'textDocument/publishDiagnostics',
      (published) => published.uri === uri && published.diagnostics.length > 0,
    );
    await until();
  } finally {
    await server.end();
  }
}

it.skipIf(process.platform === 'win32')('starts plugins in trusted workspaces only', async () => {
  const place = workspace();
  const { folder, marker } = place;
  try {
    // Longer than the pauses before providers are opened and asked.
    await edit(false, place, () => delay(1500));
    expect(existsSync(marker)).toBe(false);
    await edit(true, place, async () => {
      for (let waited = 0; waited < 240_000 && !existsSync(marker); waited += 50) await delay(50);
    });
    expect(existsSync(marker)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
