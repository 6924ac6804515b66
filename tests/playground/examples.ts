import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';

/** A configuration of the documentation or of `examples`. */
export interface Example {
  /** page and number of the code block, or the directory */
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Values for required variables of the examples. */
export const EXAMPLE_VARIABLES: Readonly<Record<string, string>> = {
  TF_VAR_who: 'world',
  TF_VAR_tags: '{}',
};

/** Features that a browser cannot offer. */
const OUTSIDE = /\b(?:backend|connection|cloud|encryption|provider_installation)\b[^\n]*\{/;

/** Examples that need other programs or providers than those that compute. */
const NEEDS_MORE = /^(?:aws-|provider$|edit-hcl$)/;

/** All configurations in the documentation, and in the examples that need only computing providers. */
export function documentationExamples(): readonly Example[] {
  const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];
  const blocks = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => {
      const text = readFileSync(join(root, page), 'utf8');
      const found = [...text.matchAll(/^```hcl\n([\s\S]*?)^```$/gm)];
      const alone = found.map(([, code = ''], index) => ({
        name: `${page} ${index + 1}`,
        files: { 'main.tf': code },
      }));
      // Blocks with a title are files of one configuration.
      const titled = [...text.matchAll(/^```hcl title="([\w.]+)"\n([\s\S]*?)^```$/gm)];
      if (titled.length === 0) return alone;
      const files = Object.fromEntries(titled.map(([, name = '', code = '']) => [name, code]));
      return [...alone, { name: page, files: { 'main.tf': '', ...files } }];
    })
    .filter(({ files }) => !OUTSIDE.test(files['main.tf']));
  const directories = readdirSync(join(root, 'examples')).filter(
    (name) => !NEEDS_MORE.test(name) && statSync(join(root, 'examples', name)).isDirectory(),
  );
  return [
    ...blocks,
    ...directories.map((name) => ({
      name: `examples/${name}`,
      files: filesBelow(join(root, 'examples', name)),
    })),
  ];
}

function filesBelow(directory: string): Readonly<Record<string, string>> {
  const paths = execFileSync('git', ['ls-files'], { cwd: directory, encoding: 'utf8' });
  return Object.fromEntries(
    paths
      .split('\n')
      .filter((path) => path !== '' && existsSync(join(directory, path)))
      .map((path) => [path, readFileSync(join(directory, path), 'utf8')]),
  );
}
