import { createHash } from 'node:crypto';
import { errorText } from '@terrane/host';
import { fields } from '../http/request.ts';
import {
  type OrganizationClient,
  type ReceivedResource,
  relatedId,
  textOf,
} from './organization-client.ts';

/** The organizations of an import, and its options. */
export interface ImportOptions {
  readonly source: OrganizationClient;
  readonly target: OrganizationClient;
  /** true to report what would be created, without creating anything */
  readonly isDryRun: boolean;
  /** true to lock the workspaces of the source, so that no run changes a state that was imported */
  readonly locksSource: boolean;
  /** receives a line for each object that was created */
  readonly report: (line: string) => void;
}

/** The result of an import. */
export interface ImportResult {
  /** counts of created objects by their type */
  readonly created: Readonly<Record<string, number>>;
  /** objects that exist in the target already, which stay as they are */
  readonly existing: number;
  /** manual steps for everything that the API does not show, or that is not imported */
  readonly remaining: readonly string[];
  /** objects that could not be imported, with the reason */
  readonly failures: readonly string[];
}

/** Settings of workspaces that are imported. */
const SETTINGS: readonly string[] = [
  'allow-destroy-plan',
  'assessments-enabled',
  'auto-apply',
  'auto-apply-run-trigger',
  'description',
  'execution-mode',
  'file-triggers-enabled',
  'global-remote-state',
  'queue-all-runs',
  'speculative-enabled',
  'terraform-version',
  'trigger-patterns',
  'trigger-prefixes',
  'working-directory',
];
const VARIABLE = ['key', 'value', 'category', 'hcl', 'sensitive', 'description'] as const;

/**
 * Imports the projects, workspaces, variables, variable sets and current states of an organization. What exists in the
 * target with the same name stays as it is, so that an import that was interrupted can be repeated. A state is only
 * imported into a workspace without one.
 */
export async function importOrganization(options: ImportOptions): Promise<ImportResult> {
  return await new Import(options).run();
}

class Import {
  readonly #options: ImportOptions;
  readonly #created: Record<string, number> = {};
  readonly #remaining: string[] = [];
  readonly #failures: string[] = [];
  /** IDs in the target by those in the source */
  readonly #ids = new Map<string, string>();
  #existing = 0;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  async run(): Promise<ImportResult> {
    const { source, target } = this.#options;
    for (const client of [source, target]) {
      if ((await client.find(client.path(''))) === undefined) {
        throw new Error(
          `The organization ${client.name} does not exist, or the token may not read it.`,
        );
      }
    }
    await this.#projects();
    await this.#workspaces();
    await this.#variableSets();
    this.#remaining.push(
      'Teams and their access, policy sets, run triggers, run tasks, notifications, agent pools, SSH keys and the private registry are not imported.',
    );
    return {
      created: this.#created,
      existing: this.#existing,
      remaining: this.#remaining,
      failures: this.#failures,
    };
  }

  async #projects(): Promise<void> {
    const { source, target } = this.#options;
    const existing = byName(await target.list(target.path('/projects')));
    for (const project of await source.list(source.path('/projects'))) {
      const name = textOf(project, 'name');
      await this.#ensure('project', name, project, existing.get(name), () =>
        target.post(
          target.path('/projects'),
          document('projects', { name, description: project.attributes['description'] }),
        ),
      );
    }
  }

  async #workspaces(): Promise<void> {
    const { source, target } = this.#options;
    const existing = byName(await target.list(target.path('/workspaces')));
    for (const workspace of await source.list(source.path('/workspaces'))) {
      const name = textOf(workspace, 'name');
      if (!existing.has(name)) this.#noteSettings(workspace);
      await this.#ensure('workspace', name, workspace, existing.get(name), () =>
        target.post(target.path('/workspaces'), this.#workspaceDocument(workspace)),
      );
      await this.#attempt(`variables of workspace ${name}`, async () =>
        this.#variables(
          workspace,
          `/api/v2/workspaces/${workspace.id}/vars`,
          (id) => `/api/v2/workspaces/${id}/vars`,
        ),
      );
      await this.#attempt(`state of workspace ${name}`, async () => this.#state(workspace));
    }
  }

  /** Notes the settings that a new workspace does not have. */
  #noteSettings({ attributes }: ReceivedResource): void {
    const name = String(attributes['name']);
    if (attributes['execution-mode'] === 'agent') {
      this.#remaining.push(
        `Workspace ${name}: an agent pool executed its runs. The built-in agents do it now; create a pool to change that.`,
      );
    }
    const { identifier } = fields(attributes['vcs-repo']);
    if (typeof identifier === 'string') {
      this.#remaining.push(
        `Workspace ${name}: connect the repository ${identifier} again, with an OAuth client of the new server.`,
      );
    }
  }

  #workspaceDocument(workspace: ReceivedResource): object {
    const { attributes } = workspace;
    const name = textOf(workspace, 'name');
    const settings = Object.fromEntries(
      SETTINGS.flatMap((key) => {
        const value = attributes[key];
        return value === undefined || value === null ? [] : [[key, value]];
      }),
    );
    if (attributes['execution-mode'] === 'agent') settings['execution-mode'] = 'remote';
    const project = this.#ids.get(relatedId(workspace, 'project') ?? '');
    const tags = attributes['tag-names'];
    return document(
      'workspaces',
      { name, ...settings },
      {
        ...(project !== undefined && { project: { data: { type: 'projects', id: project } } }),
        ...(Array.isArray(tags) && {
          tags: { data: tags.map((tag) => ({ type: 'tags', attributes: { name: String(tag) } })) },
        }),
      },
    );
  }

  async #variableSets(): Promise<void> {
    const { source, target } = this.#options;
    const existing = byName(await target.list(target.path('/varsets')));
    for (const set of await source.list(source.path('/varsets'))) {
      const name = textOf(set, 'name');
      const { attributes } = set;
      await this.#ensure('variable set', name, set, existing.get(name), () =>
        target.post(
          target.path('/varsets'),
          document(
            'varsets',
            {
              name,
              description: attributes['description'],
              global: attributes['global'],
              priority: attributes['priority'],
            },
            {
              workspaces: this.#relatedTo(set, 'workspaces'),
              projects: this.#relatedTo(set, 'projects'),
            },
          ),
        ),
      );
      await this.#attempt(`variables of variable set ${name}`, async () =>
        this.#variables(
          set,
          `/api/v2/varsets/${set.id}/relationships/vars`,
          (id) => `/api/v2/varsets/${id}/relationships/vars`,
        ),
      );
    }
  }

  /** Returns the related objects of the target. */
  #relatedTo(set: ReceivedResource, type: 'workspaces' | 'projects'): object {
    const { data } = fields(set.relationships[type]);
    const related = Array.isArray(data) ? (data as readonly unknown[]) : [];
    return {
      data: related.flatMap((each) => {
        const id = this.#ids.get(String(fields(each)['id']));
        return id === undefined ? [] : [{ type, id }];
      }),
    };
  }

  async #variables(
    owner: ReceivedResource,
    sourcePath: string,
    targetPath: (id: string) => string,
  ): Promise<void> {
    const { source, target } = this.#options;
    const ownerId = this.#ids.get(owner.id);
    const known = ownerId === undefined ? [] : await target.list(targetPath(ownerId));
    const keyOf = (each: ReceivedResource): string =>
      `${textOf(each, 'category')} ${textOf(each, 'key')}`;
    const existing = new Map(known.map((each) => [keyOf(each), each]));
    for (const variable of await source.list(sourcePath)) {
      const name = `${textOf(owner, 'name')}.${textOf(variable, 'key')}`;
      const current = existing.get(keyOf(variable));
      if (variable.attributes['sensitive'] === true) {
        // The API never returns its value.
        if (current === undefined) {
          this.#remaining.push(
            `Variable ${name} (${textOf(variable, 'category')}) is sensitive and cannot be read: set its value.`,
          );
        } else this.#existing++;
        continue;
      }
      await this.#ensure('variable', name, variable, current, () =>
        target.post(
          targetPath(ownerId ?? ''),
          document(
            'vars',
            Object.fromEntries(VARIABLE.map((key) => [key, variable.attributes[key] ?? ''])),
          ),
        ),
      );
    }
  }

  async #state(workspace: ReceivedResource): Promise<void> {
    const { source, target, isDryRun, locksSource, report } = this.#options;
    const name = textOf(workspace, 'name');
    if (locksSource && !isDryRun && workspace.attributes['locked'] !== true) {
      await source.post(`/api/v2/workspaces/${workspace.id}/actions/lock`, {
        reason: 'The workspace was imported into another server.',
      });
      report(`Locked workspace ${name} of ${source.name}`);
    }
    // Read after the lock.
    const current = await source.find(`/api/v2/workspaces/${workspace.id}/current-state-version`);
    if (current === undefined) return;
    const id = this.#ids.get(workspace.id);
    const existing =
      id === undefined
        ? undefined
        : await target.find(`/api/v2/workspaces/${id}/current-state-version`);
    const state = await source.download(textOf(current, 'hosted-state-download-url'));
    const { serial, lineage } = identityOf(state);
    if (existing !== undefined) {
      const known = identityOf(
        await target.download(textOf(existing, 'hosted-state-download-url')),
      );
      if (known.serial === serial && known.lineage === lineage) this.#existing++;
      else {
        this.#failures.push(
          `state of workspace ${name}: the workspace has another state in ${target.name}, with serial ${known.serial}; the source has serial ${serial}. It was not replaced.`,
        );
      }
      return;
    }
    if (isDryRun) {
      this.#count('state', name);
      return;
    }
    await target.post(`/api/v2/workspaces/${id}/actions/lock`, { reason: 'import' });
    try {
      await target.post(
        `/api/v2/workspaces/${id}/state-versions`,
        document('state-versions', {
          serial,
          lineage,
          md5: createHash('md5').update(state).digest('hex'),
          state: Buffer.from(state).toString('base64'),
        }),
      );
    } finally {
      await target.post(`/api/v2/workspaces/${id}/actions/unlock`, {});
    }
    this.#count('state', name);
  }

  /** Creates an object, unless the target has it. */
  async #ensure(
    type: string,
    name: string,
    { id }: ReceivedResource,
    existing: ReceivedResource | undefined,
    create: () => Promise<ReceivedResource>,
  ): Promise<void> {
    if (existing !== undefined) {
      this.#existing++;
      this.#ids.set(id, existing.id);
      return;
    }
    await this.#attempt(`${type} ${name}`, async () => {
      if (!this.#options.isDryRun) this.#ids.set(id, (await create()).id);
      this.#count(type, name);
    });
  }

  #count(type: string, name: string): void {
    this.#created[type] = (this.#created[type] ?? 0) + 1;
    const verb = this.#options.isDryRun ? 'Would create' : 'Created';
    this.#options.report(`${verb} ${type} ${name}`);
  }

  /** One object that cannot be imported does not prevent the others. */
  async #attempt(subject: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      // any-error: the report names it; a second import tries it again.
      this.#failures.push(`${subject}: ${errorText(error)}`);
    }
  }
}

function byName(resources: readonly ReceivedResource[]): ReadonlyMap<string, ReceivedResource> {
  return new Map(resources.map((each) => [textOf(each, 'name'), each]));
}

/** Returns the serial and lineage of a state. Throws for content that is no state. */
function identityOf(state: Uint8Array): { readonly serial: number; readonly lineage: string } {
  const { serial, lineage } = fields(JSON.parse(Buffer.from(state).toString('utf8')));
  if (typeof serial !== 'number' || typeof lineage !== 'string') {
    throw new Error('The server sent a state without serial and lineage.');
  }
  return { serial, lineage };
}

const document = (type: string, attributes: object, relationships: object = {}): object => ({
  data: { type, attributes, relationships },
});
