import { GITLAB } from './gitlab.ts';
import { githubProvider } from './github.ts';
import type { VcsProvider } from './provider.ts';

interface Known {
  readonly provider: VcsProvider;
  /** the URL of the service, if there is only one */
  readonly httpUrl?: string;
  /** Returns the URL of the API of a service. */
  readonly apiUrl: (httpUrl: string) => string;
}

const GITHUB = githubProvider('github');
const GITEA = githubProvider('gitea');
const gitlabApi = (url: string): string => `${url}/api/v4`;
const giteaApi = (url: string): string => `${url}/api/v1`;

/** Providers by their names in the API: those of HCP Terraform, and Gitea and Forgejo. */
export const VCS_PROVIDERS: Readonly<Record<string, Known>> = {
  github: {
    provider: GITHUB,
    httpUrl: 'https://github.com',
    apiUrl: () => 'https://api.github.com',
  },
  github_enterprise: { provider: GITHUB, apiUrl: (url) => `${url}/api/v3` },
  gitlab_hosted: { provider: GITLAB, httpUrl: 'https://gitlab.com', apiUrl: gitlabApi },
  gitlab_community_edition: { provider: GITLAB, apiUrl: gitlabApi },
  gitlab_enterprise_edition: { provider: GITLAB, apiUrl: gitlabApi },
  gitea: { provider: GITEA, apiUrl: giteaApi },
  forgejo: { provider: GITEA, apiUrl: giteaApi },
};

/** Returns a provider by its name. Throws for an unknown one, which the API does not accept. */
export function vcsProvider(name: string): VcsProvider {
  const existing = VCS_PROVIDERS[name];
  if (existing === undefined) throw new Error(`There is no provider ${name}.`);
  return existing.provider;
}
