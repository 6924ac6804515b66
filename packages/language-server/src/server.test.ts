import { afterEach, expect, it } from 'vitest';
import type { CompletionList, Hover, Location } from 'vscode-languageserver';
import { TestClient, uriOf } from './testing/test-client.ts';

const MAIN = `variable "region" {
  type    = string
  default = "eu"
}

variable "secret" {
  sensitive = true
  default   = "hunter2"
}

locals {
  name = "web-\${var.region}"
  all  = { a = var.secret, b = 1 }
}

resource "terraform_data" "a" {
  input = local.name
}
`;

let client: TestClient | undefined;

afterEach(async () => {
  await client?.stop();
  client = undefined;
});

async function started(files: Readonly<Record<string, string>>): Promise<TestClient> {
  client = await TestClient.start(files);
  return client;
}

it('reports errors of the engine while typing, and clears them', async () => {
  const c = await started({ 'main.tf': MAIN });
  await c.open('main.tf');
  await c.change('main.tf', MAIN.replace('var.region', 'var.regon'));
  const [message] = await c.messages('main.tf', (messages) => messages.length > 0);
  expect(message).toContain('Did you mean "region"?');
  await c.change('main.tf', `${MAIN}locals {`);
  const broken = await c.messages('main.tf', ([first]) => first?.includes('Unclosed') === true);
  expect(broken).toHaveLength(1);
  await c.change('main.tf', MAIN);
  await c.messages('main.tf', (messages) => messages.length === 0);
});

it('shows values on hover, and no secrets', async () => {
  const c = await started({ 'main.tf': MAIN });
  await c.open('main.tf');
  let value = '';
  while (!value.includes('Value')) {
    const hover = await c.at<Hover>('hover', 'main.tf', 'local.name', 7);
    value = JSON.stringify(hover.contents);
  }
  expect(value).toContain('web-eu');
  expect(value).not.toContain('local local.name');
  const all = await c.at<Hover>('hover', 'main.tf', 'all  =', 1);
  expect(JSON.stringify(all.contents)).toContain('a = (sensitive value), b = 1');
  const secret = await c.at<Hover>('hover', 'main.tf', 'var.secret', 5);
  expect(JSON.stringify(secret.contents)).toContain('(sensitive value)');
  expect(JSON.stringify([all, secret])).not.toContain('hunter2');
});

it('completes references and finds definitions and references', async () => {
  const c = await started({ 'main.tf': MAIN, 'terraform.tfvars': 'region = "us"\n' });
  await c.open('main.tf');
  const { items } = await c.at<CompletionList>('completion', 'main.tf', 'var.region', 4);
  expect(items.map(({ label }) => label)).toEqual(['region', 'secret']);
  const definition = await c.at<Location[]>('definition', 'main.tf', 'var.region', 5);
  expect(definition).toEqual([
    {
      uri: uriOf('main.tf'),
      range: { start: { line: 0, character: 10 }, end: { line: 0, character: 16 } },
    },
  ]);
  const references = await c.at<Location[]>('references', 'main.tf', 'var.region', 5, {
    context: { includeDeclaration: false },
  });
  expect(references.map(({ uri }) => uri)).toEqual([uriOf('main.tf'), uriOf('terraform.tfvars')]);
});

it('rejects requests before initialize and after shutdown, and unknown commands', async () => {
  const c = await started({ 'main.tf': MAIN });
  await c.open('main.tf');
  await expect(c.initialize({})).rejects.toThrow('initialized already');
  await expect(c.request('workspace/executeCommand', { command: 'other.command' })).rejects.toThrow(
    'There is no command "other.command".',
  );
  await c.request('shutdown', {});
  await expect(c.at('hover', 'main.tf', 'local.name')).rejects.toThrow('shut down');
  await expect(c.stop()).rejects.toThrow('shut down');
  client = undefined;
});
