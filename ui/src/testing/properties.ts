/** The property types of all packs, for tests of one that draws others. */
import '@/registry/properties'
