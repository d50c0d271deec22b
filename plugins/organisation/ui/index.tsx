import { defineAction, definePack } from '@sluice/sdk'
import { lazy } from 'react'
import { texts } from './texts'

export default definePack({
  pack: 'organisation',
  texts,
  actions: [
    defineAction({
      name: 'resetPassword',
      label: { zh: '重置密码', en: 'Reset password' },
      icon: 'key',
      list: { place: 'row' },
      Dialog: lazy(() => import('./reset-password')),
    }),
    defineAction({
      name: 'unlockUser',
      label: { zh: '解除登录锁定', en: 'Unlock sign-in' },
      icon: 'clock',
      list: { place: 'row' },
      Dialog: lazy(() => import('./unlock')),
    }),
    defineAction({
      name: 'signIns',
      label: { zh: '登录设备', en: 'Signed-in devices' },
      icon: 'monitor',
      list: { place: 'row' },
      Dialog: lazy(() => import('./sign-ins')),
    }),
    defineAction({
      name: 'disableUser',
      label: { zh: '停用', en: 'Disable' },
      danger: true,
      list: { place: 'row' },
      Dialog: lazy(() => import('./disable')),
    }),
  ],
})
