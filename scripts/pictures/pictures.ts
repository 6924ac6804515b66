/**
 * Writes the pictures of the documentation from the built program: `npm run pictures [-- --only recordings]`.
 * Screenshots need Chromium, and are of the playground in `.build/playground`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../../tests/playground/browser.ts';
import { serveFolder } from '../../tests/playground/static-server.ts';
import { root } from '../root.ts';
import { recordScene } from './record.ts';
import { recordingSvg } from './recording-svg.ts';
import { SCENES } from './scenes.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const out = join(root, 'docs/images');
const VIEWPORT = { width: 1280, height: 760 };

const terrane = (cwd: string, ...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(join(root, 'bin/terrane'), args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: cwd },
  });
  if (status !== 0) throw new Error(`terrane ${args.join(' ')}: ${stderr}`);
  return stdout;
};

/** Writes the page of a plan with modules, and returns its URL. */
function planPage(work: string): string {
  const network = `variable "range" {}
resource "terraform_data" "network" { input = var.range }
resource "terraform_data" "subnet" {
  for_each = toset(["a", "b"])
  input    = "\${terraform_data.network.output}-\${each.key}"
}
output "subnets" { value = { for key, subnet in terraform_data.subnet : key => subnet.output } }
`;
  const service = `variable "subnets" {}
variable "size" {}
resource "terraform_data" "server" {
  for_each         = var.subnets
  input            = each.value
  triggers_replace = [var.size]
}
resource "terraform_data" "alarm" { input = values(terraform_data.server)[*].id }
`;
  const main = (size: string, rest: string): string => `module "network" {
  source = "./network"
  range  = "10.0.0.0/16"
}
module "shop" {
  source  = "./service"
  subnets = module.network.subnets
  size    = "${size}"
}
resource "random_pet" "release" {}
${rest}`;
  for (const [path, text] of [
    ['network/main.tf', network],
    ['service/main.tf', service],
    [
      'main.tf',
      main('small', 'resource "terraform_data" "old" { input = random_pet.release.id }\n'),
    ],
  ] as const) {
    mkdirSync(join(work, path, '..'), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  terrane(work, 'init');
  terrane(work, 'apply', '-auto-approve');
  const dns = 'resource "terraform_data" "dns" { input = module.network.subnets }\n';
  writeFileSync(join(work, 'main.tf'), main('large', dns));
  terrane(work, 'plan', '-out=plan');
  const page = join(work, 'page.html');
  writeFileSync(page, terrane(work, 'show', '-html', 'plan'));
  return pathToFileURL(page).href;
}

async function screenshots(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'terrane-picture-'));
  const server = await serveFolder(join(root, '.build/playground'));
  const browser = await launchBrowser();
  try {
    const url = planPage(work);
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme, viewport: VIEWPORT });
      const page = await context.newPage();
      await page.goto(`${url}#module.shop.terraform_data.server%5B%22a%22%5D`);
      await page.locator('#details h2').waitFor();
      await page.screenshot({ path: join(out, `plan-page-${colorScheme}.png`) });
      await page.goto(server.url);
      await page.getByRole('button', { name: 'Plan', exact: true }).click();
      await page.getByText('Plan:').first().waitFor();
      await page.screenshot({ path: join(out, `playground-${colorScheme}.png`) });
      await context.close();
    }
  } finally {
    await browser.close();
    await server.close();
    rmSync(work, { recursive: true });
  }
}

mkdirSync(out, { recursive: true });
for (const scene of SCENES)
  writeFileSync(
    join(out, `${scene.name}.svg`),
    recordingSvg(scene.title, await recordScene(scene)),
  );
if (values.only !== 'recordings') await screenshots();
