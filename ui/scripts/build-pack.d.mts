export function buildPack(folder: string): Promise<{ outDir: string; digest: string; bytes: number }>
