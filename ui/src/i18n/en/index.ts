import { bulk } from './bulk'
import { comment } from './comment'
import { common } from './common'
import { date } from './date'
import { draft } from './draft'
import { file } from './file'
import { filter } from './filter'
import { form } from './form'
import { gantt } from './gantt'
import { home } from './home'
import { life } from './life'
import { list } from './list'
import { message } from './message'
import { picker } from './picker'
import { script } from './script'
import { session } from './session'
import { sheet } from './sheet'
import { shell } from './shell'
import { table } from './table'
import { task } from './task'
import { workflow } from './workflow'

export const texts = {
  bulk,
  common,
  session,
  shell,
  list,
  filter,
  gantt,
  date,
  form,
  draft,
  file,
  home,
  life,
  picker,
  script,
  table,
  message,
  comment,
  sheet,
  task,
  workflow,
}
