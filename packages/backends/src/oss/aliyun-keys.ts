/** Keys for signing requests to Alibaba Cloud. */
export interface AliyunKeys {
  /** the key ID; empty without credentials */
  readonly id: string;
  readonly secret: string;
  /** the session token; empty for permanent keys */
  readonly token: string;
}
