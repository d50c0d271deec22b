export const modules: Record<string, string>
