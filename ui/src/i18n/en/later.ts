import { access } from './access'
import { account } from './account'
import { application } from './application'
import { audit } from './audit'
import { branding } from './branding'
import { delegation } from './delegation'
import { design } from './design'
import { desk } from './desk'
import { external } from './external'
import { flow } from './flow'
import { flowAdmin } from './flow-admin'
import { flowStuck } from './flow-stuck'
import { flowVersions } from './flow-versions'
import { imports } from './import'
import { launch } from './launch'
import { mail } from './mail'
import { codes, operation } from './operation'
import { opinion } from './opinion'
import { paper } from './paper'
import { portal } from './portal'
import { portalDesign } from './portal-design'
import { print } from './print'
import { recordFlow } from './record-flow'
import { rehearsal } from './rehearsal'
import { report } from './report'
import { rights } from './rights'
import { search } from './search'
import { uses } from './uses'

/** What dialogs say that are rarely opened; it comes with the first of them. */
export const texts = {
  search,
  access,
  account,
  application,
  audit,
  branding,
  delegation,
  design,
  desk,
  external,
  flow,
  flowAdmin,
  flowStuck,
  flowVersions,
  import: imports,
  launch,
  mail,
  codes,
  operation,
  opinion,
  paper,
  portal,
  portalDesign,
  print,
  recordFlow,
  rehearsal,
  report,
  rights,
  uses,
}
