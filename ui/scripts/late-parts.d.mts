import type { Plugin } from 'vite'

export function lateParts(folder: string, from: string): Plugin
