// Names of organizations have at least three characters, so that "-" is none.
export const SIGN_IN_PATH = '/app/-/sign-in';
export const SIGN_OUT_PATH = '/app/-/sign-out';
export const SINGLE_SIGN_ON_PATH = '/app/-/single-sign-on';
export const SINGLE_SIGN_ON_CALLBACK = '/app/-/single-sign-on/callback';
export const STYLE_PATH = '/app/-/style.css';
export const SCRIPT_PATH = '/app/-/run.js';

const encode = encodeURIComponent;

export const organizationPath = (organization: string): string => `/app/${encode(organization)}`;

export const workspacePath = (organization: string, workspace: string): string =>
  `${organizationPath(organization)}/workspaces/${encode(workspace)}`;

export const runPath = (organization: string, workspace: string, run: string): string =>
  `${workspacePath(organization, workspace)}/runs/${encode(run)}`;
