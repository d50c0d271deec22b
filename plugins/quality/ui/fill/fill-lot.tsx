import {
  Choice,
  DateBox,
  dropFiles,
  Failure,
  formatInstant,
  isOffline,
  keepFiles,
  keptFiles,
  Notice,
  newToken,
  type OutboxEntry,
  post,
  useErrorText,
  useFeedback,
  useKept,
  useMayStart,
  useMe,
  useOpenRecord,
  useStart,
  useText,
  useTextContext,
  writeStored,
} from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Input, Segmented, Skeleton } from 'antd'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { codes } from '../codes'
import look from '../shared/look.module.css'
import { texts } from '../texts'
import { type Begun, beginQuery, type Draft, type Entry, firstEntries, lastDesign } from './begin'
import { stillMissing } from './due-entries'
import styles from './fill.module.css'
import { ItemPart } from './item-part'
import { absurd, designOf, passes } from './judge'
import { itemKey, judgedQuery, refusalOf, refusedFields, sayJudged } from './judged'
import { Photos, sendPhotos } from './photos'
import { type Item, writtenReadings } from './readings'
import { StillMissing } from './still-missing'

interface Props {
  nodeId: string
  bizId: string
  keep: (entry: OutboxEntry) => boolean
  onClose: () => void
}

const KIND_OF: Record<string, string> = { SUP: 'SUP', TEST: 'TEST' }

/** A record of an inspection lot, for thumbs in gloves: big targets, one thing below the other, nothing lost without a network. */
export function FillLot({ nodeId, bizId, keep, onClose }: Props) {
  const t = texts.useText()
  const begin = useQuery(beginQuery(nodeId, bizId))
  const kept = useKept<Draft>(['quality', nodeId, bizId])
  const context = useTextContext()
  if (begin.error) return <Failure error={begin.error} onRetry={begin.refetch} />
  if (!begin.data || kept.found === undefined) return <Skeleton className={look.pad ?? ''} active />
  if (!begin.data.sheet)
    return <Notice icon="alert" title={t('noSheet')} actions={<Button onClick={onClose}>{t('back')}</Button>} />
  const { kinds } = begin.data
  const kindOf = (wanted: string) => (kinds.includes(wanted) ? wanted : (kinds[0] ?? wanted))
  const kind = kindOf(KIND_OF[begin.data.sheet.bizKind] ?? 'SELF')
  const fresh: Draft = {
    token: newToken(),
    files: newToken(),
    kind,
    part: begin.data.node.title,
    date: formatInstant(new Date().toISOString(), 'yyyy-MM-dd', context),
    remark: '',
    entries: firstEntries(begin.data, kind),
  }
  return (
    <Fill
      begun={begin.data}
      first={kept.found ? { ...kept.found, kind: kindOf(kept.found.kind) } : fresh}
      restored={kept.found !== null}
      {...{ kept, nodeId, bizId, keep, onClose }}
    />
  )
}

const KINDS = ['SELF', 'SUP', 'TEST'] as const

interface FillProps extends Props {
  begun: Begun
  first: Draft
  restored: boolean
  kept: ReturnType<typeof useKept<Draft>>
}

function Fill({ begun, first, restored, kept, nodeId, bizId, keep, onClose }: FillProps) {
  const t = texts.useText()
  const product = useText()
  const say = useFeedback()
  const errorText = useErrorText()
  const me = useMe()
  const openRecord = useOpenRecord()
  const page = useRef<HTMLDivElement>(null)
  const id = useId()
  const [draft, setDraft] = useState(first)
  const [files] = useState(first.files ?? first.token) // under which photographs are kept, whatever call they go with
  const [photos, setPhotos] = useState<File[]>([])
  const lasting = useRef(true)
  useEffect(() => {
    void keptFiles(files).then((found) => setPhotos((now) => (now.length > 0 ? now : found)))
  }, [files])
  const [unread, setUnread] = useState<string | null>(null)
  const [refused, setRefused] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({}) // of the fields, as the server says them
  const typed = useRef(restored)
  const items = useMemo(() => new Map(begun.all.map((one) => [one.id, one])), [begun.all])
  const change = (part: Partial<Draft>) => {
    typed.current = true
    const mended = Object.keys(part).map((one) => (one === 'date' ? codes.checkDate : one))
    setFaults((now) => Object.fromEntries(Object.entries(now).filter(([at]) => !mended.includes(at))))
    const next = { ...draft, ...part }
    setDraft(next)
    kept.keep(next)
  }
  const changePhotos = (next: File[]) => {
    change({ files })
    setPhotos(next)
    void keepFiles(files, next).then((kept) => {
      lasting.current = kept
    })
  }
  const changeEntry = (at: number, part: Partial<Entry>) => {
    const key = itemKey(draft.entries[at]?.itemId ?? '')
    setFaults(({ [key]: _, ...others }) => others)
    change({ entries: draft.entries.map((one, i) => (i === at ? { ...one, ...part } : one)) })
  }
  const due = begun.due
  const dueOf = new Map((due?.items ?? []).map((one) => [one.itemId, one]))
  const isForeign = (item: Item) => dueOf.size > 0 && !dueOf.has(item.id) && item.itemClass !== 'SAFETY'
  // Another kind of inspection begins with its own items, as long as nothing was read.
  const changeKind = (kind: string) =>
    change({
      kind,
      ...(draft.entries.some(({ values }) => values.length > 0) ? {} : { entries: firstEntries(begun, kind) }),
    })
  const dropEntry = (at: number) => change({ entries: draft.entries.filter((_, i) => i !== at) })
  /** A due item is not dropped without a question: the node stays pending without it. */
  const removeEntry = (at: number) => {
    const item = dueOf.get(draft.entries[at]?.itemId ?? '')
    if (!item) return dropEntry(at)
    say.modal.confirm({
      title: t('due.removeTitle', { name: item.name }),
      content: t('due.removeText'),
      okText: t('due.removeOk'),
      cancelText: t('due.removeKeep'),
      onOk: () => dropEntry(at),
    })
  }
  const filled = draft.entries.filter(({ values }) => values.length > 0)
  // Points that are judged together, or not yet, are neither good nor bad here.
  const judged = filled.flatMap(({ itemId, design, values }) => {
    const item = items.get(itemId)
    return item ? values.map((value) => passes(item, design, value)).filter((one) => one !== null) : []
  })
  // With too few readings an item is not judged, and the record stays incomplete.
  const shortOf = filled.filter(({ itemId, values }) => values.length < (items.get(itemId)?.minPoints ?? 0))
  const short = shortOf.length
  const { sheet } = begun
  const body = () => ({
    schemaCode: codes.record,
    data: {
      [codes.qbsId]: nodeId,
      [codes.bizId]: bizId,
      ...(sheet?.jbsId ? { [codes.jbsId]: sheet.jbsId } : {}),
      [codes.recordKind]: draft.kind,
      [codes.inspector]: [{ id: me?.id, type: 3 }],
      [codes.checkDate]: draft.date,
      [codes.part]: draft.part.trim(),
      [codes.remark]: draft.remark.trim(),
      [codes.items]: filled.map(({ itemId, design, values, reason }) => ({
        [codes.itemId]: itemId,
        ...(design.trim() === '' ? {} : { [codes.designValue]: designOf(design) ?? design.trim() }),
        [codes.values]: writtenReadings(items.get(itemId)?.method, values),
        ...(reason?.trim() ? { [codes.remark]: reason.trim() } : {}),
      })),
    } as Record<string, unknown>,
  })
  const forget = () => {
    for (const { itemId, design } of filled) if (design.trim()) writeStored(`quality.design.${itemId}`, design.trim())
    kept.forget()
  }
  const leave = () => {
    forget()
    onClose()
  }
  const flow = sheet?.workflowCode || undefined
  const mayStart = useMayStart()(flow)
  const start = useStart(codes.record, flow)
  const save = useMutation({
    mutationFn: async (_submit: boolean) => {
      const sent = body()
      if (photos.length > 0) sent.data[codes.photos] = await sendPhotos(photos)
      return post('/api/runtime/form/save', { ...sent, clientToken: draft.token })
    },
    onSuccess: async ({ id }, submit) => {
      void dropFiles(files)
      if (!submit && flow) say.success(t('draftSaved'))
      else if (!submit) void judgedQuery(id).then((found) => sayJudged(found, say, openRecord))
      // What its start refuses stays as a draft, from which it can be submitted again.
      else if ((await start(id, true)) === 'asked') return forget()
      leave()
    },
    onError: (error, submit) => {
      if (!isOffline(error)) {
        // A corrected record is another call than the one that was refused.
        change({ token: newToken() })
        setFaults(
          refusedFields(
            error,
            filled.map(({ itemId }) => itemId),
          ),
        )
        return setRefused(refusalOf(error) ?? errorText(error))
      }
      const title = `${begun.node.title} · ${sheet?.title ?? ''}`
      const entry = {
        token: draft.token,
        ...(submit && flow
          ? { path: '/api/runtime/form/submit', body: { workflowCode: flow, data: body().data } }
          : { path: '/api/runtime/form/save', body: body() }),
        title,
        at: Date.now(),
        more: { nodeId, bizId, draft: { ...draft, files }, photos: photos.length },
      }
      if (!keep(entry)) return setRefused(t('notKept'))
      say.warning(photos.length > 0 && !lasting.current ? t('keptWithPhotos') : t('keptForLater'))
      leave()
    },
    // The way to the server is ours to watch: without a network the call fails at once and is kept.
    networkMode: 'always',
  })
  const buttons = [
    { label: flow ? t('saveDraft') : product('common.save'), submit: false, primary: !mayStart },
    ...(mayStart ? [{ label: t('submit'), submit: true, primary: true }] : []),
  ]
  // The first field that was refused comes into sight.
  useEffect(() => {
    if (Object.keys(faults).length > 0)
      page.current?.querySelector('[data-refused]')?.scrollIntoView({ block: 'center' })
  }, [faults])
  const send = (submit: boolean) => {
    const wrong = page.current?.querySelector<HTMLInputElement>('input[aria-invalid="true"]')
    setRefused(wrong ? t('mendFirst', { name: wrong.ariaLabel ?? '' }) : '')
    if (wrong) return reach(wrong)
    const far = filled.flatMap(({ itemId, design, values }) => {
      const item = items.get(itemId)
      const of = item ? values.filter((value) => absurd(item, design, value)) : []
      return item && of.length > 0 ? [{ name: item.name, values: of.join('; ') }] : []
    })
    if (far.length === 0) return save.mutate(submit)
    say.modal.confirm({
      title: t('absurdTitle'),
      content: (
        <>
          <p>{t('absurdText')}</p>
          {far.map((one) => (
            <p key={one.name}>{t('nameAndWhy', one)}</p>
          ))}
        </>
      ),
      okText: t('absurdKeep'),
      cancelText: t('absurdMend'),
      onOk: () => save.mutate(submit),
      onCancel: () => {
        const box = [...(page.current?.querySelectorAll('input') ?? [])].find(
          ({ ariaLabel }) => ariaLabel === `${far[0]?.name}: ${t('reading')}`,
        )
        if (box) reach(box)
      },
    })
  }
  const addable = begun.all.filter(
    (item) => !draft.entries.some(({ itemId }) => itemId === item.id) && (due?.may.deviate || !isForeign(item)),
  )
  return (
    <div className={styles.fill}>
      <div ref={page} className={styles.content}>
        <h2 className={styles.title}>{sheet?.title}</h2>
        <p className={look.note}>{[...begun.node.above.map(({ title }) => title), begun.node.title].join(' / ')}</p>
        {begun.waits && (
          <p className={look.bad} role="alert">
            {t('lockedBy', { names: begun.waits.join('、') || t('earlier') })}
          </p>
        )}
        {begun.repairs && (
          <p className={look.bad} role="alert">
            {t('repairFirst')}
          </p>
        )}
        {restored && <p className={look.note}>{t('restored')}</p>}
        <div className={styles.fields}>
          {begun.kinds.length > 1 && (
            <div className={styles.kind}>
              <span className={styles.label}>{t('recordKindWord')}</span>
              <Segmented
                block
                size="large"
                value={draft.kind}
                onChange={changeKind}
                options={KINDS.filter((one) => begun.kinds.includes(one)).map((one) => ({
                  value: one,
                  label: t(`bizKind.${one}`),
                }))}
              />
            </div>
          )}
          <div>
            <label className={styles.label} htmlFor={`${id}-date`}>
              {t('checkDate')}
            </label>
            <DateBox
              id={`${id}-date`}
              kind="date"
              format="yyyy-MM-dd"
              value={draft.date}
              unread={unread}
              invalid={unread !== null || faults.checkDate !== undefined}
              onChange={(date) => {
                setUnread(null)
                change({ date: date ?? '' })
              }}
              onUnread={setUnread}
            />
            <Fault text={faults.checkDate} />
          </div>
          <div>
            <label className={styles.label} htmlFor={`${id}-part`}>
              {t('part')}
            </label>
            <Input
              id={`${id}-part`}
              size="large"
              maxLength={200}
              value={draft.part}
              {...(faults.part ? { status: 'error' as const } : {})}
              onChange={(event) => change({ part: event.target.value })}
            />
            <Fault text={faults.part} />
          </div>
        </div>
        {draft.entries.length === 0 && (
          <p className={look.note}>{t(due && due.items.length > 0 ? 'due.noneOpen' : 'noItems')}</p>
        )}
        {draft.entries.map((entry, at) => {
          const item = items.get(entry.itemId)
          return item ? (
            <ItemPart
              key={entry.itemId}
              item={item}
              entry={entry}
              refused={faults[itemKey(entry.itemId)]}
              last={begun.lastOf.get(entry.itemId)?.values ?? []}
              onChange={(part) => changeEntry(at, part)}
              differs={dueOf.get(entry.itemId)?.differs ?? false}
              fixed={item.method !== 'YESNO' && dueOf.get(entry.itemId)?.designValue != null && !due?.may.deviate}
              foreign={isForeign(item)}
              onRemove={() => removeEntry(at)}
            />
          ) : null
        })}
        {addable.length > 0 && (
          <Choice
            showSearch
            size="large"
            aria-label={t('addItem')}
            placeholder={t('addItem')}
            value={null}
            style={{ width: '100%', marginTop: 12 }}
            onChange={(itemId: string | null) =>
              itemId && change({ entries: [...draft.entries, { itemId, design: lastDesign(itemId), values: [] }] })
            }
            options={addable.map((one) => ({ value: one.id, label: one.name }))}
          />
        )}
        <Fault text={faults.items} />
        <Photos photos={photos} onChange={changePhotos} />
        <Fault text={faults.photos} />
        <label className={styles.label} htmlFor={`${id}-remark`}>
          {t('remark')}
        </label>
        <Input.TextArea
          id={`${id}-remark`}
          autoSize={{ minRows: 2, maxRows: 6 }}
          maxLength={2000}
          value={draft.remark}
          onChange={(event) => change({ remark: event.target.value })}
        />
        <Fault text={faults.remark} />
        {due && <StillMissing lacks={stillMissing(due, draft.kind, draft.entries)} any={draft.entries.length > 0} />}
        {short > 0 && flow && (
          <p className={look.warn} role="status">
            {t('due.shortOf', { names: shortOf.map(({ itemId }) => items.get(itemId)?.name ?? '').join(t('comma')) })}
          </p>
        )}
      </div>
      <div className={styles.bar}>
        <span className={styles.sum} role="status">
          {refused ? (
            <span className={look.bad}>{refused}</span>
          ) : (
            <>
              {t(judged.length > 0 ? 'filled' : 'filledItems', {
                items: filled.length,
                all: draft.entries.length,
                ok: judged.filter(Boolean).length,
                n: judged.length,
              })}
              {short > 0 && <span className={look.bad}> {t('tooFew', { count: short })}</span>}
            </>
          )}
        </span>
        <Button size="large" onClick={onClose}>
          {product('common.back')}
        </Button>
        {buttons.map(({ label, submit, primary }) => (
          <Button
            key={label}
            size="large"
            type={primary ? 'primary' : 'default'}
            loading={save.isPending && save.variables === submit}
            disabled={
              filled.length === 0 ||
              draft.date === '' ||
              unread !== null ||
              save.isPending ||
              begun.waits !== null ||
              begun.repairs ||
              (submit && short > 0)
            }
            onClick={() => send(submit)}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}

/** What the server said of a field. */
function Fault({ text }: { text: string | undefined }) {
  return text ? (
    <p className={look.bad} role="alert" data-refused>
      {text}
    </p>
  ) : null
}

function reach(box: HTMLInputElement) {
  box.scrollIntoView({ block: 'center' })
  box.focus({ preventScroll: true })
}
