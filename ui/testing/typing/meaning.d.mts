export function meaning(text: string, kind: string, today: string): string | null
export function lines(kind: string, count: number, seed: number): string[]
