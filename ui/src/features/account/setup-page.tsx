import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { Navigate, useNavigate } from 'react-router'
import { useText } from '@/sdk/use-text'
import { type SetupInput, setUp, setupQuery } from './api'
import { EntryFrame } from './components/entry-frame'
import { ErrorLine } from './components/error-line'
import { MAXIMUM, PROBLEMS, passwordProblem } from './password-rule'
import { useRefusal } from './use-refusal'

const MINIMUM = 12

export function SetupPage() {
  const t = useText()
  const navigate = useNavigate()
  const setup = useQuery(setupQuery)
  const creating = useMutation({ mutationFn: setUp, onSuccess: () => navigate('/', { replace: true }) })
  const refusal = useRefusal(creating.error)
  const rule = t('session.passwordRule', { min: MINIMUM, max: MAXIMUM })
  if (setup.data && !setup.data.needed && !creating.isSuccess) return <Navigate to="/login" replace />
  return (
    <EntryFrame title={t('session.setup.title')} text={t('session.setup.text')}>
      <Form<SetupInput>
        layout="vertical"
        requiredMark={false}
        onFinish={creating.mutate}
        disabled={creating.isPending}
        size="large"
      >
        <Form.Item
          name="secret"
          label={t('session.setup.secret')}
          rules={[{ required: true, message: t('session.setup.secretMissing') }]}
        >
          <Input autoComplete="off" autoCapitalize="none" spellCheck={false} autoFocus />
        </Form.Item>
        <Form.Item
          name="username"
          label={t('session.username')}
          rules={[{ required: true, message: t('session.usernameMissing') }]}
        >
          <Input autoComplete="username" autoCapitalize="none" maxLength={100} />
        </Form.Item>
        <Form.Item
          name="name"
          label={t('session.setup.name')}
          rules={[{ required: true, message: t('session.setup.nameMissing') }]}
        >
          <Input autoComplete="name" maxLength={100} />
        </Form.Item>
        <Form.Item
          name="password"
          label={t('session.password')}
          extra={rule}
          validateTrigger="onBlur"
          rules={[
            {
              validator: async (_, value: string) => {
                const problem = passwordProblem(value ?? '', MINIMUM)
                if (problem === 'missing') throw new Error(t('session.passwordMissing'))
                if (problem) throw new Error(t(PROBLEMS[problem]))
              },
            },
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <ErrorLine text={refusal.text} />
        <Button type="primary" htmlType="submit" block loading={creating.isPending} disabled={refusal.seconds > 0}>
          {refusal.seconds > 0 ? t('session.waitFor', { count: refusal.seconds }) : t('session.setup.create')}
        </Button>
      </Form>
    </EntryFrame>
  )
}
