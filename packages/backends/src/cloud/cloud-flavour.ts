/** Which of Terraform's two ways to such a server is gone: they differ in texts and in few rules. */
export type CloudFlavour = 'remote' | 'cloud';
