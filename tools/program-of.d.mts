export declare function programOf(name: string, version: string | number): string | undefined;
