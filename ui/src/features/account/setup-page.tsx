import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Form, Input } from 'antd'
import { Navigate, useNavigate } from 'react-router'
import { useErrorText } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { type SetupInput, setUp, setupQuery } from './api'
import { EntryFrame } from './components/entry-frame'
import { ErrorLine } from './components/error-line'
import { passwordAccepted } from './password-rule'

const MINIMUM = 12

export function SetupPage() {
  const t = useText()
  const navigate = useNavigate()
  const errorText = useErrorText()
  const setup = useQuery(setupQuery)
  const creating = useMutation({ mutationFn: setUp, onSuccess: () => navigate('/', { replace: true }) })
  const rule = t('session.passwordRule', { min: MINIMUM })
  if (setup.data && !setup.data.needed && !creating.isSuccess) return <Navigate to="/login" replace />
  return (
    <EntryFrame title={t('session.setup.title')} text={t('session.setup.text')}>
      <Form<SetupInput> layout="vertical" requiredMark={false} onFinish={creating.mutate} disabled={creating.isPending}>
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
              validator: async (_, value: string) =>
                passwordAccepted(value ?? '', MINIMUM) ? undefined : Promise.reject(new Error(rule)),
            },
          ]}
        >
          <Input.Password autoComplete="new-password" />
        </Form.Item>
        <ErrorLine text={creating.error ? errorText(creating.error) : null} />
        <Button type="primary" htmlType="submit" block size="large" loading={creating.isPending}>
          {t('session.setup.create')}
        </Button>
      </Form>
    </EntryFrame>
  )
}
