import { END_BEFORE } from '@terrane/testkit';
import { COPIED_PROVIDER, type CommandScene } from './command-run.ts';
import { resource } from './workloads.ts';

/** A command that changes states, and what it finds. */
export interface CommandCase {
  readonly command: string;
  /** makes what the command finds */
  readonly arrange: (scene: CommandScene) => Promise<void>;
  /** what is tried next where the command has not done its work; the same one by default */
  readonly next?: string;
  /** it succeeds again when its work is done */
  readonly repeatable?: boolean;
}

const THINGS = `${resource('thing', 'a', 'size = 1')}${resource('thing', 'b', 'size = 1')}output "size" {\n  value = crash_thing.a.size\n}\n`;
const LOCAL = (path: string): string =>
  `terraform {\n  backend "local" {\n    path = "${path}"\n  }\n}\n${THINGS}`;

async function apply(scene: CommandScene, text: string = THINGS): Promise<void> {
  await scene.write('main.tf', text);
  await scene.run('apply -auto-approve');
}

async function twoWorkspaces(scene: CommandScene): Promise<void> {
  await apply(scene);
  await scene.run('workspace new two');
  await scene.run('apply -auto-approve');
  await scene.run('workspace select default');
}

/** A run ends when all exists, before the state file says so. */
async function dieInApply(scene: CommandScene): Promise<void> {
  await apply(scene, resource('thing', 'a', 'size = 1'));
  await scene.write('main.tf', THINGS);
  await scene.runCut('apply -auto-approve', ({ what }) =>
    what === 'rename /project/terraform.tfstate' ? END_BEFORE : undefined,
  );
}

/** Something other than Terrane changes what exists. */
async function applyAndDrift(scene: CommandScene): Promise<void> {
  await apply(scene);
  const { objects } = scene.world;
  for (const object of [...objects.values()]) objects.set(object.id, { ...object, size: 7 });
}

/** Every command that changes a state, or what says which state is meant; `apply` has workloads of its own. */
export const COMMAND_CASES: readonly CommandCase[] = [
  { command: 'state mv crash_thing.a crash_thing.c', arrange: apply },
  { command: 'state mv -state-out=other.tfstate crash_thing.a crash_thing.a', arrange: apply },
  {
    command: 'state mv -state-out=other.tfstate crash_thing.b crash_thing.c',
    async arrange(scene) {
      await apply(scene);
      await scene.run('state mv -state-out=other.tfstate crash_thing.a crash_thing.a');
    },
  },
  { command: 'state rm crash_thing.a', arrange: apply },
  {
    command: 'state push changed.tfstate',
    async arrange(scene) {
      await apply(scene);
      const text = await scene.read('terraform.tfstate');
      await scene.write(
        'changed.tfstate',
        text.replace(/"serial": \d+/, '"serial": 90').replaceAll('"a"', '"c"'),
      );
    },
  },
  {
    command: `state replace-provider -auto-approve hashicorp/crash ${COPIED_PROVIDER}`,
    repeatable: true,
    arrange: apply,
  },
  { command: 'taint crash_thing.a', repeatable: true, arrange: apply },
  {
    command: 'untaint crash_thing.a',
    async arrange(scene) {
      await apply(scene);
      await scene.run('taint crash_thing.a');
    },
  },
  {
    command: 'import crash_thing.c id-3',
    async arrange(scene) {
      await apply(scene, `${THINGS}${resource('thing', 'c', 'size = 1')}`);
      await scene.run('state rm crash_thing.c');
    },
  },
  {
    command: 'refresh',
    repeatable: true,
    arrange: applyAndDrift,
  },
  {
    command: 'apply -refresh-only -auto-approve',
    repeatable: true,
    arrange: applyAndDrift,
  },
  {
    command: 'workspace new two',
    next: 'workspace select -or-create two',
    repeatable: true,
    arrange: apply,
  },
  { command: 'workspace new -state=terraform.tfstate two', arrange: apply },
  { command: 'workspace select two', repeatable: true, arrange: twoWorkspaces },
  { command: 'workspace delete -force two', arrange: twoWorkspaces },
  {
    command: 'workspace delete two',
    async arrange(scene) {
      await apply(scene);
      await scene.run('workspace new two');
      await scene.run('workspace select default');
    },
  },
  {
    command: 'init -migrate-state -force-copy',
    repeatable: true,
    async arrange(scene) {
      await twoWorkspaces(scene);
      await scene.write('main.tf', LOCAL('kept/main.tfstate'));
    },
  },
  {
    command: 'init -migrate-state -force-copy -input=false',
    repeatable: true,
    async arrange(scene) {
      await scene.write('main.tf', LOCAL('kept/main.tfstate'));
      await scene.run('init');
      await scene.run('apply -auto-approve');
      await scene.write('main.tf', LOCAL('elsewhere/main.tfstate'));
    },
  },
  {
    command: 'init -force-copy',
    repeatable: true,
    async arrange(scene) {
      await scene.write('main.tf', LOCAL('kept/main.tfstate'));
      await scene.run('init');
      await scene.run('apply -auto-approve');
      await scene.write('main.tf', THINGS);
    },
  },
  { command: 'state recover -write', repeatable: true, arrange: dieInApply },
];
