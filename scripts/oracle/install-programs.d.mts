/** A release or a development version of Terraform or OpenTofu that cases are recorded with. */
export interface ReferenceProgram {
  readonly program: 'terraform' | 'tofu';
  readonly version: string;
  /** The Go module that it is built from; absent for development versions. */
  readonly module?: string;
  /** The main package within the module. */
  readonly package?: string;
  /** Whether experimental features of the language are enabled. */
  readonly experiments?: boolean;
}

/** The reference programs by name, such as `terraform-1.16`. */
export const PROGRAMS: Readonly<Record<string, ReferenceProgram>>;
/** The environment variable that names the executable of a program. */
export function programVariable(name: string): string;
/** The path of a program: as its environment variable says, else of its build; undefined if neither exists. */
export function findProgram(name: string): string | undefined;
