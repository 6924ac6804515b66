#!/usr/bin/env node
// Installs the OpenAPI document of the HCP Terraform API, which HashiCorp publishes in the Go module of its client
// (MPL-2.0). Tests validate responses of the run server against it. Running it again is free.
//
//   node scripts/oracle/install-api-document.mjs
//
// Needs `go`. The module comes through the ordinary Go module proxy.
import { execFileSync } from 'node:child_process';
import { copyFileSync, chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory, goEnvironment } from './builds.mjs';

// The directory is named in packages/server/src/testing/api-document.ts too.
const MODULE = 'github.com/hashicorp/go-tfe/v2';
/** The newest release that the module proxy has. */
export const API_DOCUMENT_VERSION = '2.1.0';

const installed = () =>
  join(cacheDirectory(), 'programs', `hcp-terraform-api-${API_DOCUMENT_VERSION}`, 'spec.json');

/** Returns the path of the document; undefined if it is not installed. */
export function findApiDocument() {
  const path = installed();
  return existsSync(path) ? path : undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (findApiDocument() === undefined) {
    const text = execFileSync(
      'go',
      ['mod', 'download', '-json', `${MODULE}@v${API_DOCUMENT_VERSION}`],
      {
        env: goEnvironment({ GOFLAGS: '-mod=mod' }),
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const path = installed();
    mkdirSync(dirname(path), { recursive: true });
    const partial = `${path}.partial`;
    copyFileSync(join(JSON.parse(text).Dir, 'openapi', 'spec.json'), partial);
    chmodSync(partial, 0o644);
    renameSync(partial, path);
  }
  console.log(findApiDocument());
}
