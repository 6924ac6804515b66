// Scenes of the terminal recordings in the documentation.

/** A command of a recording. */
export interface SceneCommand {
  readonly text: string;
  /** typed at the prompt of the program */
  readonly answer?: string;
  /** not shown: it prepares the next ones */
  readonly isHidden?: boolean;
}

/** A terminal recording. */
export interface Scene {
  /** name of the file, without extension */
  readonly name: string;
  readonly title: string;
  readonly files: Readonly<Record<string, string>>;
  readonly commands: readonly SceneCommand[];
}

const HOUSES = `variable "town" {
  default = "Rivendell"
}

variable "houses" {
  default = { elrond = 12, bilbo = 1 }
}

resource "terraform_data" "house" {
  for_each = var.houses
  input    = { rooms = each.value, town = var.town }
}
`;

const CRASH = `resource "terraform_data" "network" {
  input = "10.0.0.0/16"
}

resource "terraform_data" "server" {
  input = terraform_data.network.output

  provisioner "local-exec" {
    command = "[ -e crashed ] || { touch crashed; kill -9 $PPID; }"
  }
}
`;

/** Every recording. */
export const SCENES: readonly Scene[] = [
  {
    name: 'explain',
    title: 'Terrane shows the cause of a change before it is applied',
    files: { 'main.tf': HOUSES },
    commands: [
      { text: 'terrane apply -auto-approve', isHidden: true },
      { text: `echo 'houses = { elrond = 14 }' > terraform.tfvars` },
      { text: 'terrane plan -explain' },
    ],
  },
  {
    name: 'recovery',
    title: 'Terrane recovers the changes of a run that was killed',
    files: { 'main.tf': CRASH },
    commands: [
      { text: 'terrane apply -auto-approve   # is killed after the first resource' },
      { text: 'terrane state recover' },
      { text: 'terrane apply -auto-approve' },
    ],
  },
];
