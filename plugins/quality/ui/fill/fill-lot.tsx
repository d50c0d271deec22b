import {
  Choice,
  DateBox,
  formatInstant,
  get,
  Icon,
  isOffline,
  Notice,
  newToken,
  type OutboxEntry,
  post,
  type Row,
  readStored,
  uploadFile,
  useErrorText,
  useFeedback,
  useKept,
  useMe,
  useText,
  useTextContext,
  writeStored,
} from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Input, Segmented, Skeleton } from 'antd'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import {
  type Ask,
  cell,
  nodeQuery,
  processesQuery,
  QUALITY,
  recordQuery,
  refOf,
  rowsQuery,
  sheetsQuery,
} from '../shared/api'
import look from '../shared/look.module.css'
import { Failed } from '../shared/page-frame'
import { texts } from '../texts'
import styles from './fill.module.css'
import { photosOf } from './photos'
import { type Item, inTolerance, readNumbers, toleranceText } from './readings'

interface Entry {
  itemId: string
  design: string
  values: string[]
}

/** What is typed of a record; it is what waits in the browser. */
export interface Draft {
  token: string
  kind: string
  part: string
  date: string
  remark: string
  entries: Entry[]
}

interface Props {
  nodeId: string
  bizId: string
  keep: (entry: OutboxEntry) => boolean
  onClose: () => void
}

const itemOfRow = (row: Row): Item => ({
  id: row.id,
  name: cell(row, 'itemName'),
  itemClass: cell(row, 'itemClass'),
  method: cell(row, 'evalMethod'),
  unit: cell(row, 'unit'),
  devLow: cell(row, 'devLow') || null,
  devHigh: cell(row, 'devHigh') || null,
  limitLow: cell(row, 'limitLow') || null,
  limitHigh: cell(row, 'limitHigh') || null,
  minPoints: Number(cell(row, 'minPoints') || 1),
})

/** All that a new inspection begins with: where it is, what is checked there, and what was read there last. */
const beginQuery = (nodeId: string, bizId: string) => ({
  queryKey: [QUALITY, 'begin', nodeId, bizId] as const,
  queryFn: async (ask: Ask) => {
    const [node, record, processes, sheets, items, last] = await Promise.all([
      nodeQuery(nodeId).queryFn(ask),
      recordQuery('q_qbs', nodeId).queryFn(ask),
      processesQuery(nodeId).queryFn(ask),
      sheetsQuery(nodeId).queryFn(ask),
      rowsQuery('q_check_item', { size: 500 }).queryFn(ask),
      rowsQuery('q_record', {
        filters: [{ propertyCode: 'qbsId', propertyValue: nodeId }],
        orderBy: 'checkDate',
        down: true,
        size: 1,
      }).queryFn(ask),
    ])
    const sheet = [...processes.flatMap(({ biz }) => biz), ...sheets].find(({ id }) => id === bizId)
    const template = refOf(record.data.jbsTemplateId)
    const [kind] = template ? await rowsQuery('q_jbs_base', { ids: [template] }).queryFn(ask) : []
    const type = cell(kind, 'qbsType')
    const fitting = items.filter((row) => cell(row, 'qbsType') === type && type !== '')
    const before = last[0]
      ? await get('/api/runtime/form/load', { schemaCode: 'q_record', objectId: last[0].id }, { signal: ask.signal })
      : null
    const rows = (before?.data.items ?? []) as Record<string, unknown>[]
    return {
      node,
      sheet,
      all: items.map(itemOfRow),
      fitting: fitting.map(itemOfRow),
      lastOf: new Map(
        rows.map((row) => [
          refOf(row.itemId),
          { design: String(row.designValue ?? ''), values: readNumbers(String(row.values ?? '')) ?? [] },
        ]),
      ),
    }
  },
  staleTime: 60_000,
})

const KIND_OF: Record<string, string> = { SUP: 'SUP', TEST: 'TEST' }
const lastDesign = (itemId: string) =>
  readStored(`quality.design.${itemId}`, (v): v is string => typeof v === 'string') ?? ''

/** A record of an inspection lot, for thumbs in gloves: big targets, one thing below the other, nothing lost without a network. */
export function FillLot({ nodeId, bizId, keep, onClose }: Props) {
  const t = texts.useText()
  const begin = useQuery(beginQuery(nodeId, bizId))
  const kept = useKept<Draft>(['quality', nodeId, bizId])
  const context = useTextContext()
  if (begin.error) return <Failed error={begin.error} onRetry={() => void begin.refetch()} />
  if (!begin.data || kept.found === undefined) return <Skeleton className={look.pad ?? ''} active />
  if (!begin.data.sheet)
    return <Notice icon="alert" title={t('noSheet')} actions={<Button onClick={onClose}>{t('back')}</Button>} />
  const fresh: Draft = {
    token: newToken(),
    kind: KIND_OF[begin.data.sheet.bizKind] ?? 'SELF',
    part: begin.data.node.title,
    date: formatInstant(new Date().toISOString(), 'yyyy-MM-dd', context),
    remark: '',
    entries: begin.data.fitting.map(({ id }) => ({
      itemId: id,
      design: begin.data.lastOf.get(id)?.design || lastDesign(id),
      values: [],
    })),
  }
  return (
    <Fill
      begun={begin.data}
      first={kept.found ?? fresh}
      restored={kept.found !== null}
      {...{ kept, nodeId, bizId, keep, onClose }}
    />
  )
}

interface FillProps extends Props {
  begun: Awaited<ReturnType<ReturnType<typeof beginQuery>['queryFn']>>
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
  const id = useId()
  const [draft, setDraft] = useState(first)
  const [photos, setPhotos] = useState<File[]>(() => photosOf.get(first.token) ?? [])
  const [unread, setUnread] = useState<string | null>(null)
  const [refused, setRefused] = useState('')
  const typed = useRef(restored)
  const items = useMemo(() => new Map(begun.all.map((one) => [one.id, one])), [begun.all])
  const change = (part: Partial<Draft>) => {
    typed.current = true
    const next = { ...draft, ...part }
    setDraft(next)
    kept.keep(next)
  }
  const changeEntry = (at: number, part: Partial<Entry>) =>
    change({ entries: draft.entries.map((one, i) => (i === at ? { ...one, ...part } : one)) })
  const filled = draft.entries.filter(({ values }) => values.length > 0)
  const points = filled.reduce((sum, { values }) => sum + values.length, 0)
  const good = filled.reduce((sum, { itemId, design, values }) => {
    const item = items.get(itemId)
    return sum + (item ? values.filter((value) => inTolerance(item, design, value)).length : 0)
  }, 0)
  const { sheet } = begun
  const body = () => ({
    schemaCode: 'q_record',
    data: {
      qbsId: nodeId,
      bizId,
      ...(sheet?.jbsId ? { jbsId: sheet.jbsId } : {}),
      recordKind: draft.kind,
      inspector: [{ id: me?.id, type: 3 }],
      checkDate: draft.date,
      part: draft.part.trim(),
      remark: draft.remark.trim(),
      items: filled.map(({ itemId, design, values }) => ({
        itemId,
        ...(design.trim() === '' ? {} : { designValue: readNumbers(design)?.[0] ?? design.trim() }),
        values: values.join('; '),
      })),
    } as Record<string, unknown>,
  })
  const leave = () => {
    for (const { itemId, design } of filled) if (design.trim()) writeStored(`quality.design.${itemId}`, design.trim())
    kept.forget()
    onClose()
  }
  const save = useMutation({
    mutationFn: async () => {
      const sent = body()
      photosOf.set(draft.token, photos)
      if (photos.length > 0) sent.data.photos = await sendPhotos(photos)
      return post('/api/runtime/form/save', { ...sent, clientToken: draft.token })
    },
    onSuccess: () => {
      photosOf.delete(draft.token)
      say.success(t('recordSaved'))
      leave()
    },
    onError: (error) => {
      if (!isOffline(error)) {
        // A corrected record is another call than the one that was refused.
        change({ token: newToken() })
        return setRefused(errorText(error))
      }
      const title = `${begun.node.title} · ${sheet?.title ?? ''}`
      const entry = {
        token: draft.token,
        path: '/api/runtime/form/save',
        body: body(),
        title,
        at: Date.now(),
        more: { nodeId, bizId, draft },
      }
      if (!keep(entry)) return setRefused(t('notKept'))
      say.warning(photos.length > 0 ? t('keptWithPhotos') : t('keptForLater'))
      leave()
    },
    // The way to the server is ours to watch: without a network the call fails at once and is kept.
    networkMode: 'always',
  })
  const missing = begun.all.filter(({ id: one }) => !draft.entries.some(({ itemId }) => itemId === one))
  return (
    <div className={styles.fill}>
      <div className={styles.content}>
        <h2 className={styles.title}>{sheet?.title}</h2>
        <p className={look.note}>{[...begun.node.above.map(({ title }) => title), begun.node.title].join(' / ')}</p>
        {restored && <p className={look.note}>{t('restored')}</p>}
        <div className={styles.fields}>
          <div>
            <span className={styles.label}>{t('recordKindWord')}</span>
            <Segmented
              block
              size="large"
              value={draft.kind}
              onChange={(kind) => change({ kind })}
              options={(['SELF', 'SUP', 'TEST'] as const).map((one) => ({ value: one, label: t(`bizKind.${one}`) }))}
            />
          </div>
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
              invalid={unread !== null}
              onChange={(date) => {
                setUnread(null)
                change({ date: date ?? '' })
              }}
              onUnread={setUnread}
            />
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
              onChange={(event) => change({ part: event.target.value })}
            />
          </div>
        </div>
        {draft.entries.length === 0 && <p className={look.note}>{t('noItems')}</p>}
        {draft.entries.map((entry, at) => {
          const item = items.get(entry.itemId)
          return item ? (
            <ItemPart
              key={entry.itemId}
              item={item}
              entry={entry}
              last={begun.lastOf.get(entry.itemId)?.values ?? []}
              onChange={(part) => changeEntry(at, part)}
              onRemove={() => change({ entries: draft.entries.filter((_, i) => i !== at) })}
            />
          ) : null
        })}
        {missing.length > 0 && (
          <Choice
            showSearch
            size="large"
            optionFilterProp="label"
            aria-label={t('addItem')}
            placeholder={t('addItem')}
            value={null}
            style={{ width: '100%', marginTop: 12 }}
            onChange={(itemId: string | null) =>
              itemId && change({ entries: [...draft.entries, { itemId, design: lastDesign(itemId), values: [] }] })
            }
            options={missing.map((one) => ({ value: one.id, label: one.name }))}
          />
        )}
        <Photos photos={photos} onChange={setPhotos} />
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
      </div>
      <div className={styles.bar}>
        <span className={styles.sum} role="status">
          {refused ? (
            <span className={look.bad}>{refused}</span>
          ) : (
            t('filled', { items: filled.length, all: draft.entries.length, ok: good, n: points })
          )}
        </span>
        <Button size="large" onClick={onClose}>
          {product('common.back')}
        </Button>
        <Button
          size="large"
          type="primary"
          loading={save.isPending}
          disabled={filled.length === 0 || draft.date === '' || unread !== null}
          onClick={() => {
            setRefused('')
            save.mutate()
          }}
        >
          {product('common.save')}
        </Button>
      </div>
    </div>
  )
}

/** Uploads what was photographed; what each became. */
export const sendPhotos = (photos: readonly File[]) =>
  Promise.all(
    photos.map((file) =>
      uploadFile(file, {
        schemaCode: 'q_record',
        propertyCode: 'photos',
        signal: new AbortController().signal,
        onProgress: () => {},
      }),
    ),
  )

interface ItemProps {
  item: Item
  entry: Entry
  last: string[]
  onChange: (part: Partial<Entry>) => void
  onRemove: () => void
}

function ItemPart({ item, entry, last, onChange, onRemove }: ItemProps) {
  const t = texts.useText()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const box = useRef<HTMLInputElement | null>(null)
  const yesNo = item.method === 'YESNO'
  const tolerance = toleranceText(item)
  const good = entry.values.filter((value) => inTolerance(item, entry.design, value)).length
  const add = () => {
    const numbers = readNumbers(typed)
    setWrong(numbers === null)
    if (!numbers || numbers.length === 0) return
    onChange({ values: [...entry.values, ...numbers] })
    setTyped('')
    box.current?.focus()
  }
  return (
    <section className={styles.item} aria-labelledby={`${id}-name`}>
      <header className={styles.itemHead}>
        <h3 id={`${id}-name`}>{item.name}</h3>
        <span className={look.faint}>{t(`itemClass.${item.itemClass}` as never)}</span>
        {tolerance && (
          <span className={look.faint}>
            {t('tolerance')} {tolerance} {item.unit}
          </span>
        )}
        <span className={look.gap} />
        <Button
          type="text"
          aria-label={t('removeItem', { name: item.name })}
          icon={<Icon name="close" />}
          onClick={onRemove}
        />
      </header>
      {yesNo ? (
        <div className={styles.choices}>
          {(['1', '0'] as const).map((value) => (
            <Button
              key={value}
              size="large"
              block
              type={entry.values[0] === value ? 'primary' : 'default'}
              aria-pressed={entry.values[0] === value}
              aria-label={`${item.name}: ${t(value === '1' ? 'conclusion.OK' : 'conclusion.NOT_OK')}`}
              onClick={() => onChange({ values: entry.values[0] === value ? [] : [value] })}
            >
              {t(value === '1' ? 'conclusion.OK' : 'conclusion.NOT_OK')}
            </Button>
          ))}
        </div>
      ) : (
        <>
          <div className={styles.typing}>
            <Input
              className={styles.design ?? ''}
              size="large"
              inputMode="decimal"
              aria-label={`${item.name}: ${t('design')}`}
              placeholder={t('design')}
              value={entry.design}
              onChange={(event) => onChange({ design: event.target.value })}
            />
            <Input
              ref={(input) => {
                box.current = input?.input ?? null
              }}
              size="large"
              inputMode="decimal"
              aria-label={`${item.name}: ${t('reading')}`}
              placeholder={t('readingHint')}
              aria-invalid={wrong}
              {...(wrong ? { status: 'error' as const } : {})}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setWrong(false)
              }}
              onPressEnter={add}
              onBlur={() => typed.trim() !== '' && add()}
            />
            <Button
              size="large"
              aria-label={t('sign')}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => setTyped((now) => (now.startsWith('-') ? now.slice(1) : `-${now}`))}
            >
              ±
            </Button>
            <Button size="large" onPointerDown={(event) => event.preventDefault()} onClick={add}>
              {t('enter')}
            </Button>
          </div>
          {wrong && <p className={look.bad}>{t('notRead')}</p>}
          {entry.values.length > 0 && (
            <ul className={styles.values}>
              {entry.values.map((value, i) => {
                const ok = inTolerance(item, entry.design, value)
                return (
                  <li key={i}>
                    <button
                      type="button"
                      data-bad={!ok || undefined}
                      aria-label={t('dropReading', { at: i + 1, value, state: t(ok ? 'inside' : 'outside') })}
                      onClick={() => onChange({ values: entry.values.filter((_, at) => at !== i) })}
                    >
                      {ok ? '✓' : '✗'} {value}
                    </button>
                  </li>
                )
              })}
            </ul>
          )}
          <p className={look.faint}>{t('pointsOf', { ok: good, n: entry.values.length, least: item.minPoints })}</p>
        </>
      )}
      {last.length > 0 && entry.values.length === 0 && !yesNo && (
        <Button className={styles.last ?? ''} size="large" onClick={() => onChange({ values: last })}>
          {t('lastValues', { values: last.join('; ') })}
        </Button>
      )}
    </section>
  )
}

function Photos({ photos, onChange }: { photos: File[]; onChange: (photos: File[]) => void }) {
  const t = texts.useText()
  const input = useRef<HTMLInputElement>(null)
  const urls = useMemo(() => photos.map((file) => URL.createObjectURL(file)), [photos])
  useEffect(
    () => () => {
      for (const url of urls) URL.revokeObjectURL(url)
    },
    [urls],
  )
  return (
    <div className={styles.photos}>
      <span className={styles.label}>{t('photos')}</span>
      <div className={styles.thumbs}>
        {photos.map((file, i) => (
          <button
            key={`${file.name}${file.lastModified}${i}`}
            type="button"
            aria-label={t('dropPhoto', { name: file.name })}
            onClick={() => onChange(photos.filter((_, at) => at !== i))}
          >
            <img src={urls[i]} alt={file.name} />
            <Icon name="close" size={14} />
          </button>
        ))}
        <Button
          size="large"
          className={styles.camera ?? ''}
          icon={<Icon name="camera" size={22} />}
          onClick={() => input.current?.click()}
        >
          {t('photograph')}
        </Button>
      </div>
      <input
        ref={input}
        hidden
        type="file"
        accept="image/*"
        capture="environment"
        multiple
        aria-label={t('photos')}
        onChange={(event) => {
          onChange([...photos, ...(event.target.files ?? [])].slice(0, 20))
          event.target.value = ''
        }}
      />
    </div>
  )
}
