/** The role of a file in a configuration, which decides the blocks and names that it may use. */
export type FileRole =
  | 'module'
  | 'test'
  | 'mock'
  | 'query'
  | 'variables'
  | 'template'
  | 'lock'
  /** HCL of another program: syntax only */
  | 'other';

/** The role and the syntax of a file. */
export interface FileKind {
  readonly role: FileRole;
  readonly syntax: 'native' | 'json' | 'template';
}

/** File name endings, longer ones first. */
const ENDINGS: readonly (readonly [ending: string, kind: FileKind])[] = [
  ['.tf.json', { role: 'module', syntax: 'json' }],
  ['.tofu.json', { role: 'module', syntax: 'json' }],
  ['.tf', { role: 'module', syntax: 'native' }],
  ['.tofu', { role: 'module', syntax: 'native' }],
  ['.tftest.hcl', { role: 'test', syntax: 'native' }],
  ['.tofutest.hcl', { role: 'test', syntax: 'native' }],
  ['.tftest.json', { role: 'test', syntax: 'json' }],
  ['.tofutest.json', { role: 'test', syntax: 'json' }],
  ['.tfmock.hcl', { role: 'mock', syntax: 'native' }],
  ['.tofumock.hcl', { role: 'mock', syntax: 'native' }],
  ['.tfmock.json', { role: 'mock', syntax: 'json' }],
  ['.tofumock.json', { role: 'mock', syntax: 'json' }],
  ['.tfquery.hcl', { role: 'query', syntax: 'native' }],
  ['.tfquery.json', { role: 'query', syntax: 'json' }],
  ['.tfvars.json', { role: 'variables', syntax: 'json' }],
  ['.tofuvars.json', { role: 'variables', syntax: 'json' }],
  ['.tfvars', { role: 'variables', syntax: 'native' }],
  ['.tofuvars', { role: 'variables', syntax: 'native' }],
  ['.terraform.lock.hcl', { role: 'lock', syntax: 'native' }],
  ['.tftpl', { role: 'template', syntax: 'template' }],
  ['.tfpl', { role: 'template', syntax: 'template' }],
  ['.tmpl', { role: 'template', syntax: 'template' }],
  ['.tpl', { role: 'template', syntax: 'template' }],
  ['.hcl', { role: 'other', syntax: 'native' }],
];

/** Language IDs of clients, for documents without a known name ending, such as unsaved ones. */
const LANGUAGES: Readonly<Record<string, FileKind>> = {
  terraform: { role: 'module', syntax: 'native' },
  opentofu: { role: 'module', syntax: 'native' },
  'terraform-vars': { role: 'variables', syntax: 'native' },
  'opentofu-vars': { role: 'variables', syntax: 'native' },
  'terraform-test': { role: 'test', syntax: 'native' },
  'terraform-mock': { role: 'mock', syntax: 'native' },
  'terraform-search': { role: 'query', syntax: 'native' },
  'terraform-template': { role: 'template', syntax: 'template' },
};

/** Returns the kind of a file by its name, otherwise by the language id of the client; undefined if neither is known. */
export function fileKindOf(path: string, languageId?: string): FileKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const byName = ENDINGS.find(([ending]) => name.endsWith(ending))?.[1];
  if (byName !== undefined && byName.role !== 'other') return byName;
  return (languageId === undefined ? undefined : LANGUAGES[languageId]) ?? byName;
}
