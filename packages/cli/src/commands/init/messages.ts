import type { InitEvent } from '@terrane/ops';

/** The message for a directory without configuration. */
export const EMPTY: string = `The directory has no Terraform configuration files. You may begin working
with Terrane immediately by creating Terraform configuration files.`;
/** The advice after success. */
export const NEXT: string = `You may now begin working with Terrane. Try running "terrane plan" to see
any changes that are required for your infrastructure. All Terrane commands
should now work.

If you ever set or change modules or backend configuration for Terrane,
rerun this command to reinitialize your working directory. If you forget, other
commands will detect it and remind you to do so if necessary.`;
/** The success message. */
export const SUCCESS: string = 'Terrane has been successfully initialized!';
/** The success message with a `cloud` block. */
export const CLOUD_SUCCESS: string = 'HCP Terraform has been successfully initialized!';
/** The advice after success with a `cloud` block. */
export const CLOUD_NEXT: string = `You may now begin working with HCP Terraform. Try running "terrane plan" to
see any changes that are required for your infrastructure.

If you ever set or change modules or Terraform Settings, run "terrane init"
again to reinitialize your working directory.`;
/** The message for a new lock file. */
export const LOCK_CREATED = (
  name: string,
): string => `Terrane has created a lock file ${name} to record the provider
selections it made above. Include this file in your version control repository
so that Terrane can guarantee to make the same selections by default when
you run "terrane init" in the future.`;
/** The message for a changed lock file. */
export const LOCK_CHANGED: string = `Terrane has made some changes to the provider dependency selections recorded
in the .terraform.lock.hcl file. Review those changes and commit them to your
version control system if they represent changes you intended to make.`;
/** The message about providers signed by partners and the community. */
export const PARTNERS: string = `Partner and community providers are signed by their developers.
If you'd like to know more about provider signing, you can read about it here:
https://developer.hashicorp.com/terraform/cli/plugins/signing`;

/** The text of a backend event, with an optional first line in bold. */
export function backendText(event: InitEvent): { readonly title?: string; readonly text: string } {
  switch (event.kind) {
    case 'backend-set':
      return {
        text: `Successfully configured the backend ${JSON.stringify(event.type)}! Terrane will automatically\nuse this backend unless the backend configuration changes.`,
      };
    case 'backend-unset':
      return {
        text: `Successfully unset the backend ${JSON.stringify(event.type)}. Terrane will now operate locally.`,
      };
    case 'backend-unsetting':
      return {
        text: `Terrane has detected you're unconfiguring your previously set ${JSON.stringify(event.type)} backend.`,
      };
    case 'backend-reconfigured':
      return {
        title: 'Backend configuration changed!',
        text: 'Terrane has detected that the configuration specified for the backend\nhas changed. Terrane will now check for existing state in the backends.',
      };
    case 'backend-changed':
      return {
        text: `Terrane detected that the backend type changed from ${JSON.stringify(event.from)} to ${JSON.stringify(event.to)}.`,
      };
    case 'workspaces-moved': {
      const lines = event.names.map((name) => `${name === event.selected ? '*' : ' '} ${name}\n`);
      return {
        title: 'Migration complete! Your workspaces are as follows:',
        text: lines.join(''),
      };
    }
    case 'cloud-changed':
      return { text: 'HCP Terraform configuration has changed.' };
    case 'cloud-entering':
      return { text: `Migrating from backend ${JSON.stringify(event.from)} to HCP Terraform.` };
    case 'cloud-leaving':
      return {
        text:
          event.to === undefined
            ? 'Migrating from HCP Terraform or Terraform Enterprise to local state.'
            : `Migrating from HCP Terraform to backend ${JSON.stringify(event.to)}.`,
      };
    default:
      return { text: '' };
  }
}
