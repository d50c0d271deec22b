import { Departments } from './departments'
import { usePlace } from './form'
import { ExpressionField } from './shared/fields'
import { type Path, valueAt } from './shared/json'

/** A condition, with help for the departments in it. */
export function Condition(props: { path: Path; label: string; hint: string; keep?: true }) {
  const place = usePlace()
  const value = valueAt(place.of, props.path)
  return (
    <>
      <ExpressionField {...props} />
      <Departments text={typeof value === 'string' ? value : ''} onChange={(next) => place.set(props.path, next)} />
    </>
  )
}
