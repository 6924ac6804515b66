import { afterEach, expect, it } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  DocumentLink,
  InlayHint,
  Location,
  RelatedFullDocumentDiagnosticReport,
  SemanticTokens,
  SemanticTokensDelta,
  SignatureHelp,
  TextEdit,
  WorkspaceDiagnosticReport,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { TestClient, uriOf } from './testing/test-client.ts';

let client: TestClient | undefined;

afterEach(async () => {
  await client?.stop();
  client = undefined;
});

async function opened(
  files: Readonly<Record<string, string>>,
  params: Parameters<typeof TestClient.start>[1] = {},
): Promise<TestClient> {
  client = await TestClient.start(files, params);
  for (const path of Object.keys(files)) await client.open(path);
  return client;
}

it('finds references from the keyword of a block, also without a context', async () => {
  const c = await opened({ 'main.tf': 'variable "a" {}\n\noutput "b" {\n  value = var.a\n}\n' });
  const found = await c.at<Location[]>('references', 'main.tf', 'variable', 2);
  expect(found.map(({ range }) => range.start)).toEqual([{ line: 3, character: 14 }]);
});

it('shows the signature at the end of the name of a function', async () => {
  const c = await opened({ 'main.tf': 'locals {\n  a = max(1, 2)\n}\n' });
  const help = await c.at<SignatureHelp>('signatureHelp', 'main.tf', '(1');
  expect(help.signatures[0]?.label).toContain('max(');
});

it('highlights strings without references', async () => {
  const c = await opened({ 'main.tf': 'locals {\n  a = "x"\n  b = "${local.a}y"\n}\n' });
  const { data } = await c.request<SemanticTokens>('textDocument/semanticTokens/full', {
    textDocument: { uri: uriOf('main.tf') },
  });
  const lengths = data.filter((_, index) => index % 5 === 2);
  // locals, a, "x", b, local, a
  expect(lengths).toEqual([6, 1, 3, 1, 5, 1]);
});

it('answers requests for diagnostics of clients that ask', async () => {
  client = await TestClient.start(
    {
      'main.tf': 'output "a" {\n  value = var.x\n}\n',
      'variables.tf': 'variable "x" {}\n',
      'other/main.tf': 'output "b" {\n  value = local.none\n}\n',
    },
    {
      capabilities: {
        textDocument: { diagnostic: {} },
        workspace: { diagnostics: { refreshSupport: true } },
      },
    },
  );
  const c = client;
  await c.open('main.tf');
  const pull = (more = {}): Promise<RelatedFullDocumentDiagnosticReport> =>
    c.request('textDocument/diagnostic', { textDocument: { uri: uriOf('main.tf') }, ...more });
  const sound = await pull();
  expect(sound).toMatchObject({ kind: 'full', items: [] });
  await c.change('main.tf', 'output "a" {\n  value = var.y\n}\n');
  const broken = await pull({ previousResultId: sound.resultId });
  expect(broken.items.map(({ message }) => message)).toEqual([
    expect.stringContaining('An input variable with the name "y" has not been declared.'),
  ]);
  expect(await pull({ previousResultId: broken.resultId })).toMatchObject({ kind: 'unchanged' });
  const { items } = await c.request<WorkspaceDiagnosticReport>('workspace/diagnostic', {
    previousResultIds: [],
  });
  const counts = items.map((item) => [item.uri, item.kind === 'full' ? item.items.length : -1]);
  expect(Object.fromEntries(counts)).toEqual({
    [uriOf('main.tf')]: 1,
    [uriOf('variables.tf')]: 0,
    [uriOf('other/main.tf')]: 1,
  });
  // Such a client is sent none.
  expect(c.diagnostics.size).toBe(0);
});

const WHOLE = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

/** Returns the labels of hints. The first response waits for the values of the module. */
async function hintsOf(c: TestClient, path: string): Promise<readonly string[]> {
  const hints = await c.request<InlayHint[] | null>('textDocument/inlayHint', {
    textDocument: { uri: uriOf(path) },
    range: WHOLE,
  });
  return (hints ?? []).map(({ label }) => String(label));
}

it('shows values of locals, arguments and instances, without secrets', async () => {
  const text = `variable "env" {
  type = string
}

variable "password" {
  sensitive = true
  default   = "hunter2"
}

locals {
  name  = "app-\${var.env}"
  login = { user = "a", password = var.password }
}

resource "terraform_data" "each" {
  for_each = toset(["x", "y"])
  input    = "\${local.name}-\${each.key}"
}

resource "terraform_data" "some" {
  count = 2
  input = "n\${count.index}"
}

output "hash" {
  value     = sha256(var.password)
  sensitive = true
}
`;
  const c = await opened({ 'main.tf': text }, { settings: { variables: { env: 'prod' } } });
  const hints = await hintsOf(c, 'main.tf');
  expect(hints).toEqual([
    '= "prod"',
    '= (sensitive value)',
    '= "app-prod"',
    '= { password = (sensitive value), user = "a" }',
    '= ["x", "y"]',
    '= ["x"] = "app-prod-x", ["y"] = "app-prod-y"',
    '= [0] = "n0", [1] = "n1"',
  ]);
  expect(JSON.stringify(hints)).not.toContain('hunter2');
});

it('renames a resource with its references and writes a moved block', async () => {
  const c = await opened({
    'main.tf': 'resource "terraform_data" "a" {\n  input = 1\n}\n',
    'b.tf': 'output "b" {\n  value = terraform_data.a.id\n}\n',
  });
  const edit = await c.at<WorkspaceEdit>('rename', 'b.tf', 'terraform_data.a', 15, {
    newName: 'web',
  });
  expect(edit.changes?.[uriOf('b.tf')]?.map(({ newText }) => newText)).toEqual(['web']);
  expect(edit.changes?.[uriOf('main.tf')]?.map(({ newText }) => newText).join('')).toContain(
    'moved {\n  from = terraform_data.a\n  to   = terraform_data.web\n}',
  );
  await expect(
    c.at('rename', 'b.tf', 'terraform_data.a', 15, { newName: 'not valid' }),
  ).rejects.toThrow('is not a valid name');
});

it('sends semantic tokens and their differences, under standard names for unknown clients', async () => {
  const c = await opened({ 'main.tf': 'locals {\n  a = 1\n}\n' });
  const params = { textDocument: { uri: uriOf('main.tf') } };
  const full = await c.request<SemanticTokens>('textDocument/semanticTokens/full', params);
  expect(full.data.length).toBe(15);
  await c.change('main.tf', 'locals {\n  a = 1\n  b = true\n}\n');
  const delta = await c.request<SemanticTokensDelta>('textDocument/semanticTokens/full/delta', {
    ...params,
    previousResultId: full.resultId,
  });
  expect(delta.edits).toEqual([{ start: 15, deleteCount: 0, data: expect.any(Array) }]);
});

it('describes the function whose arguments are typed', async () => {
  const c = await opened({ 'main.tf': 'locals {\n  a = cidrsubnet("10.0.0.0/8", 8, )\n}\n' });
  const help = await c.at<SignatureHelp>('signatureHelp', 'main.tf', '8, )', 3);
  expect(help.signatures[0]?.label).toContain('cidrsubnet(prefix string');
  expect(help.activeParameter).toBe(2);
});

it('fixes a misspelt name and adds required arguments', async () => {
  const text = 'variable "region" {}\n\noutput "o" {\n  value = var.regon\n}\n\noutput "p" {\n}\n';
  const c = await opened({ 'main.tf': text });
  await c.messages(
    'main.tf',
    (messages) =>
      messages.some((each) => each.includes('Did you mean')) ||
      messages.some((each) => each.includes('required')),
  );
  const diagnostics = [
    {
      range: { start: { line: 3, character: 10 }, end: { line: 3, character: 19 } },
      message:
        'An input variable with the name "regon" has not been declared. Did you mean "region"?',
    },
  ];
  const actions = await c.request<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri: uriOf('main.tf') },
    range: diagnostics[0]?.range,
    context: { diagnostics },
  });
  expect(actions[0]?.title).toBe('Change to "region"');
  expect(actions[0]?.edit?.changes?.[uriOf('main.tf')]?.[0]?.newText).toBe('region');
  const added = await c.request<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri: uriOf('main.tf') },
    range: { start: { line: 6, character: 1 }, end: { line: 6, character: 1 } },
    context: { diagnostics: [] },
  });
  expect(added.map(({ title }) => title)).toContain('Add required arguments');
});

it('formats ranges and leaves other lines alone', async () => {
  const c = await opened({ 'main.tf': 'locals {\n  a=1\n}\n\nlocals {\n  b=2\n}\n' });
  const edits = await c.request<TextEdit[]>('textDocument/rangeFormatting', {
    textDocument: { uri: uriOf('main.tf') },
    range: { start: { line: 0, character: 0 }, end: { line: 2, character: 1 } },
    options: { tabSize: 2, insertSpaces: true },
  });
  expect(edits).toEqual([
    {
      range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } },
      newText: '  a = 1\n',
    },
  ]);
});

it('links module sources and offers to run tests only in trusted workspaces', async () => {
  const files = {
    'main.tf': 'module "m" {\n  source = "./child"\n}\n',
    'child/main.tf': 'locals {}\n',
    'tests/a.tftest.hcl': 'run "first" {}\n',
  };
  const c = await opened(files);
  const links = await c.request<DocumentLink[]>('textDocument/documentLink', {
    textDocument: { uri: uriOf('main.tf') },
  });
  expect(links.map(({ target }) => target)).toEqual([uriOf('child/main.tf')]);
  const lenses = await c.request<CodeLens[]>('textDocument/codeLens', {
    textDocument: { uri: uriOf('tests/a.tftest.hcl') },
  });
  expect(lenses).toEqual([]);
  await c.stop();
  const trusted = await opened(files, { settings: { trusted: true } });
  const shown = await trusted.request<CodeLens[]>('textDocument/codeLens', {
    textDocument: { uri: uriOf('tests/a.tftest.hcl') },
  });
  expect(shown.map(({ command }) => command?.title)).toEqual(['Run test']);
});

it('starts no installed plugin in an untrusted workspace', async () => {
  const c = await opened({
    'main.tf':
      'terraform {\n  required_providers {\n    x = {\n      source = "example/x"\n    }\n  }\n}\n\nresource "x_thing" "a" {}\n',
    '.terraform.lock.hcl': 'provider "registry.terraform.io/example/x" {\n  version = "1.0.0"\n}\n',
    '.terraform/providers/registry.terraform.io/example/x/1.0.0/linux_amd64/terraform-provider-x_v1.0.0':
      '#!/bin/sh\n',
  });
  const started: string[] = [];
  const { spawn } = c.host;
  Object.assign(spawn, {
    start: (command: string) => {
      started.push(command);
      return Promise.reject(new Error('started'));
    },
  });
  await c.messages('main.tf', () => true);
  await c.change('main.tf', 'resource "x_thing" "a" {}\nlocals {\n  a = var.none\n}\n');
  await c.messages('main.tf', (messages) => messages.length > 0);
  expect(started).toEqual([]);
});
