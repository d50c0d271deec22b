import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { Link } from 'react-router'
import { Icon } from '@/components/icon'
import { useFeedback } from '@/sdk/feedback'
import { type Home, homeQuery } from '@/sdk/home'
import { useText } from '@/sdk/use-text'
import styles from './home.module.css'
import { dismissSteps } from './home-data'

const list = (model: string) =>
  `/application/organisation/application-list/${model}?code=${model}&parentId=organisation%2Fpeople&queryCode=${model}`

/** Where each step is taken. */
const PAGES: Record<Home['steps'][number]['code'], string> = {
  people: list('user'),
  departments: list('department'),
  look: '/app-list/applications?panel=theme',
  rights: list('role'),
}

/** What a new installation needs, for those who can do it. */
export function HomeSteps({ steps }: { steps: Home['steps'] }) {
  const t = useText()
  const client = useQueryClient()
  const feedback = useFeedback()
  const dismiss = useMutation({
    mutationFn: dismissSteps,
    onSuccess: () => client.setQueryData<Home>(homeQuery.queryKey, (home) => home && { ...home, steps: [] }),
    onError: feedback.error,
  })
  return (
    <section className={styles.steps} aria-labelledby="steps">
      <div className={styles.head}>
        <h2 id="steps">{t('home.steps')}</h2>
        <Button type="text" size="small" loading={dismiss.isPending} onClick={() => dismiss.mutate()}>
          {t('home.dismiss')}
        </Button>
      </div>
      <ol className={styles.stepList}>
        {steps.map(({ code, done }, i) => (
          <li key={code}>
            <Link to={PAGES[code]} className={styles.step} data-done={done || undefined}>
              <span className={styles.number} aria-hidden="true">
                {done ? <Icon name="check" size={14} /> : i + 1}
              </span>
              <span>
                <span className={styles.stepName}>{t(`home.step.${code}.title`)}</span>
                <span className={styles.stepText}>{done ? t('home.stepDone') : t(`home.step.${code}.text`)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
