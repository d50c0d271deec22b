// biome-ignore lint/style/noRestrictedImports: here its roles are put right
import { Select, type SelectProps } from 'antd'
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Match, meaningOf, namedBy, rank } from '@/lib/find-choice'
import { usePinyin } from '@/lib/use-matcher'
import { useIsTouchPhone } from '@/lib/use-media'
import { useMend } from '@/lib/use-mend'

/** Lists up to this length are drawn whole: of a longer one a screen reader knows only what is near the highlighted option. */
const WHOLE = 200

/** Puts the roles of an open list right, which the library draws again as it likes. */
function mendRoles(popup: Element) {
  for (const empty of popup.querySelectorAll('.ant-select-item-empty[role="listbox"]'))
    empty.setAttribute('role', 'status')
  for (const heading of popup.querySelectorAll('.ant-select-item-group')) heading.setAttribute('role', 'presentation')
  // The list is what scrolls, not what moves within it.
  const inner = popup.querySelector('[class$="-holder-inner"][role="listbox"]')
  const holder = inner?.closest('[class$="-holder"]')
  if (!inner || !holder) return
  holder.setAttribute('role', 'listbox')
  holder.id = inner.id
  inner.removeAttribute('role')
  inner.removeAttribute('id')
}

/** Whether the popup holds the list, and not a tree in its place. */
const Listed = createContext(true)

function Popup({ children, onListed }: { children: ReactNode; onListed?: (listed: boolean) => void }) {
  const mend = useCallback(
    (popup: Element) => {
      mendRoles(popup)
      onListed?.(popup.querySelector('[role="listbox"]') !== null)
    },
    [onListed],
  )
  return <div ref={useMend<HTMLDivElement>(mend)}>{children}</div>
}

/** What keys mean for a typed text. */
interface Keys {
  /** Whether the text names an option; null where nothing is typed. */
  named: boolean | null
  /** Chooses what the text names. */
  choose: () => void
  /** Takes keys that came before that is known. */
  later: (() => void) | null
  /** Forgets a key that came before. */
  drop: () => void
}

const silent: Keys = { named: null, choose: () => {}, later: null, drop: () => {} }
const Typed = createContext(silent)

/**
 * It leads to an option only where one is highlighted. Tab takes what was named or what the arrows lead to, and leaves otherwise. What is
 * named is chosen here, since the list highlights it only some time after the text is there.
 */
function Box({ 'aria-activedescendant': active, onKeyDown, ...props }: ComponentProps<'input'>) {
  const leads = useContext(Listed) && !active?.endsWith('_-1')
  const { named, choose, later, drop } = useContext(Typed)
  const moved = useRef(false)
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    const expanded = event.currentTarget.getAttribute('aria-expanded') === 'true'
    const confirms = event.key === 'Enter' || event.key === 'Tab'
    if (event.key === 'Escape') drop()
    if (confirms && expanded && !moved.current && !event.nativeEvent.isComposing) {
      if (named) choose()
      else later?.()
      if (event.key === 'Enter' && named !== null) event.preventDefault()
      if (event.key === 'Tab' || named !== null) return event.stopPropagation()
    }
    moved.current = event.key.startsWith('Arrow') || (moved.current && event.key === 'Tab')
    onKeyDown?.(event)
  }
  return <input {...props} onKeyDown={pressed} aria-activedescendant={leads ? active : undefined} />
}

const components = { input: Box }

const lengthOf = (options: object[]) =>
  options.reduce((sum, one) => sum + ('options' in one && Array.isArray(one.options) ? one.options.length : 1), 0)

type Labeled = { label?: ReactNode; value?: unknown; options?: unknown }

/** Whether all labels are words, so that typing can find them. */
const inWords = (options: readonly object[]): boolean =>
  options.every((one: Labeled) =>
    Array.isArray(one.options) ? inWords(one.options) : typeof one.label === 'string' && one.label !== '',
  )

const rankOf = (option: Labeled | undefined, text: string, match: Match) =>
  rank({ names: [String(option?.label ?? '')], code: String(option?.value ?? '') }, text, match)

interface Fitting {
  option: Labeled
  fit: number
}

const fitsOf = (options: readonly object[], text: string, match: Match): Fitting[] =>
  options.flatMap((option: Labeled & { disabled?: boolean }) => {
    if (Array.isArray(option.options)) return fitsOf(option.options, text, match)
    const fit = option.disabled ? null : rankOf(option, text, match)
    return fit === null ? [] : [{ option, fit }]
  })

/** What the options say of a text, the best ones first. */
const namedOf = (options: readonly object[], text: string, match: Match) =>
  fitsOf(options, text, match)
    .sort((a, b) => a.fit - b.fit)
    .map(({ option, fit }) => ({ option, named: namedBy(fit) }))

/**
 * Finds options by their words, their codes, pinyin and its initials, the best ones first; `one` is what is typed. A key that came before
 * the options or the dictionary of sounds are there is kept, and `choose` is called once it is known what the text names.
 */
function useFinding(options: readonly object[] | undefined, opened: boolean, choose: (option: Labeled) => void) {
  const [typed, setTyped] = useState('')
  const { match, ready } = usePinyin(typed !== '')
  const { one } = useMemo(() => meaningOf(typed ? namedOf(options ?? [], typed, match) : []), [options, typed, match])
  const kept = useRef(false)
  const put = useCallback((text: string) => {
    kept.current = false
    setTyped(text)
  }, [])
  const search = useMemo(
    () => ({
      searchValue: typed,
      filterOption: (text: string, option?: object) => rankOf(option, text, match) !== null,
      filterSort: (a: object, b: object, { searchValue }: { searchValue: string }) =>
        (rankOf(a, searchValue, match) ?? 9) - (rankOf(b, searchValue, match) ?? 9),
      // A list that closes clears its text; one that a key asked for stays until its answer.
      onSearch: (text: string) => (text === '' && kept.current && !opened ? undefined : put(text)),
    }),
    [typed, match, opened, put],
  )
  const take = () => {
    put('')
    if (one) choose(one.option)
  }
  const waits = typed.trim() !== '' && !one && (options === undefined || !ready)
  useEffect(() => {
    if (!waits && kept.current) take()
  })
  const keys: Keys = {
    named: typed.trim() === '' ? null : one !== undefined,
    choose: take,
    later: waits
      ? () => {
          kept.current = true
        }
      : null,
    drop: () => {
      kept.current = false
    },
  }
  /** What is left behind is forgotten, unless a key asked for it. */
  const leave = () => {
    if (!kept.current) setTyped('')
  }
  return { search, keys, leave }
}

/** For lists that stand in other parts of the library. */
export const listPopup = (menu: ReactElement) => <Popup>{menu}</Popup>

/**
 * antd's Select, whose open list is one to a screen reader too. Typing finds options in every list of words; Enter and Tab choose the
 * one that is named by all that is typed, or what the arrows lead to. Options that are not there yet are undefined: what was typed and
 * confirmed before them is chosen when they come.
 * A touched phone opens its keyboard only where showSearch asks for it. Lists that the server searches are an AskedChoice.
 */
export function Choice<V>(props: SelectProps<V>) {
  const { popupRender, options } = props
  const [opened, setOpened] = useState(false)
  const finding = useFinding(options, opened, ({ value }) => {
    const chosen = [props.value ?? []].flat() as unknown[]
    const next = !props.mode ? value : chosen.includes(value) ? chosen : [...chosen, value]
    props.onChange?.(
      next as V,
      options?.find((option) => option.value === value),
    )
    if (!props.mode) setOpened(false)
  })
  const phone = useIsTouchPhone()
  const asked = props.showSearch
  const finds = (asked === true || (asked === undefined && !phone)) && inWords(options ?? [])
  const [listed, setListed] = useState(true)
  const own = { components } // of the component below, which antd's types leave out
  const keys = finds ? finding.keys : silent
  return (
    <Listed value={listed}>
      <Typed value={keys}>
        <Select<V>
          open={opened}
          {...props}
          onOpenChange={(open) => {
            setOpened(open)
            props.onOpenChange?.(open)
          }}
          onBlur={(event) => {
            finding.leave()
            props.onBlur?.(event)
          }}
          {...(finds ? { showSearch: finding.search } : {})}
          {...(keys.named === null ? {} : { defaultActiveFirstOption: keys.named })}
          {...own}
          virtual={lengthOf(options ?? []) > WHOLE}
          popupRender={(menu: ReactElement) => (
            <Popup onListed={setListed}>{popupRender ? popupRender(menu) : menu}</Popup>
          )}
        />
      </Typed>
    </Listed>
  )
}
