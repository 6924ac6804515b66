export declare const API_DOCUMENT_VERSION: string;
export declare function findApiDocument(): string | undefined;
