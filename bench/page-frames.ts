import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { manyResources } from '../tests/page/many-resources.ts';
import { CHROMIUM, launchBrowser, newPage } from '../tests/playground/browser.ts';

const RESOURCES = 5_000;
const FRAMES = 180;
/** Frames are shown at multiples of the screen's interval of 16.7 ms; two would be 33 ms. */
const GOAL_MS = 25;

/**
 * Measures the time between frames while the whole graph of `show -html` is zoomed in Chromium. Returns true if the
 * graph moves at 60 frames per second, and, without a measurement, if Chromium is not installed.
 */
export async function pageFrames(
  scratch: string,
  terrane: readonly string[],
  environment: Readonly<Record<string, string>>,
  scale: number,
): Promise<boolean> {
  const label = 'page'.padEnd(20);
  if (CHROMIUM === undefined) {
    process.stdout.write(`${label} Chromium is not installed: not measured\n`);
    return true;
  }
  const resources = Math.max(1, Math.round(RESOURCES * scale));
  const folder = join(scratch, 'page');
  mkdirSync(folder);
  writeFileSync(join(folder, 'main.tf'), manyResources(resources));
  const [command = '', ...first] = terrane;
  const run = (...args: readonly string[]): Buffer =>
    execFileSync(command, [...first, ...args], {
      cwd: folder,
      env: environment,
      maxBuffer: 2 ** 28,
    });
  run('plan', '-out=plan');
  const path = join(folder, 'page.html');
  writeFileSync(path, run('show', '-html', 'plan'));
  const browser = await launchBrowser();
  try {
    const page = await newPage(browser, { viewport: { width: 1280, height: 800 } });
    await page.goto(pathToFileURL(path).href);
    await page.locator('#list button').first().waitFor();
    await page.click('#fit');
    const times = (await page.evaluate(`(async () => {
      const canvas = document.getElementById('graph');
      const times = [];
      let last = performance.now();
      for (let i = 0; i < ${FRAMES}; i++) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const now = performance.now();
        times.push(now - last);
        last = now;
        canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: i % 2 ? 3 : -3, cancelable: true }));
      }
      return times;
    })()`)) as readonly number[];
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(share * (FRAMES - 1))] ?? 0;
    const met = at(0.5) <= GOAL_MS;
    process.stdout.write(
      `${label} ${resources} resources: ${at(0.5).toFixed(1)} ms between frames (p95 ${at(0.95).toFixed(1)} ms) · goal 60 per second: ${met ? 'met' : 'MISSED'}\n`,
    );
    return met;
  } finally {
    await browser.close();
  }
}
