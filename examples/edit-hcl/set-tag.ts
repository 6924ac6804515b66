// Sets a tag in every resource with literal tags, and lists the other resources with tags.
//   set-tag.ts NAME=VALUE FILE...

import { readFile, writeFile } from 'node:fs/promises';
import { editHcl, HclError } from '@terrane/hcl';

const [assignment = '', ...files] = process.argv.slice(2);
const [name = '', value] = assignment.split('=');
if (name === '' || value === undefined || files.length === 0) {
  process.stderr.write('usage: set-tag.ts NAME=VALUE FILE...\n');
  process.exit(1);
}

for (const filename of files) {
  const before = await readFile(filename, 'utf8');
  try {
    const file = editHcl(before, { filename });
    for (const resource of file.blocks('resource')) {
      const tags = resource.content.attribute('tags');
      if (tags === undefined) continue;
      if (tags.source.startsWith('{')) tags.setIn([name], value);
      else process.stdout.write(`${resource.labels.join('.')}: tags = ${tags.source}\n`);
    }
    if (String(file) !== before) await writeFile(filename, String(file));
  } catch (error) {
    if (!(error instanceof HclError)) throw error;
    process.stderr.write(error.message);
    process.exitCode = 1;
  }
}
