/** Texts of a pack for its component tests: outside of them the pack's bundle brings its own. */
export { addTexts } from '@/sdk/texts'
