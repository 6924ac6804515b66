import { memoryHost } from '@terrane/testkit';
import { expect, test } from 'vitest';
import { formatFiles } from './format-files.ts';
import { openProject, type Project } from './project.ts';
import { openSavedPlan } from './saved-plan.ts';
import { readTargetFile } from './target-files.ts';

/** A project with files that cannot be read because of `error`. */
async function projectFailingWith(error: Error): Promise<Project> {
  const host = memoryHost();
  for (const path of ['plan', 'targets', 'main.tf']) await host.files.writeFile(path, '');
  Object.assign(host.files, {
    readFile: () => Promise.reject(error),
    readFileSync: () => {
      throw error;
    },
  });
  return openProject(host);
}

const operations: readonly (readonly [string, (project: Project) => Promise<unknown>])[] = [
  ['opening a saved plan', (project) => openSavedPlan(project, 'plan')],
  ['reading targets', (project) => readTargetFile(project.host.files, 'targets')],
  [
    'formatting',
    (project) =>
      formatFiles(
        project,
        { paths: ['main.tf'], recursive: false, write: true, difference: false },
        () => {},
      ),
  ],
];

test.each(operations)(
  '%s does not report an internal error as the user’s',
  async (_, operation) => {
    const error = new TypeError("Cannot read properties of undefined (reading 'x')");
    await expect(operation(await projectFailingWith(error))).rejects.toBe(error);
  },
);

test.each(operations)('%s reports an error of the system', async (_, operation) => {
  const error = Object.assign(new Error('EIO: i/o error, open'), { code: 'EIO', syscall: 'open' });
  await expect(operation(await projectFailingWith(error))).resolves.toBeDefined();
});
