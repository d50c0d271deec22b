import { startBrowser, openPage, signIn, settled } from './server.mjs'
const url='http://127.0.0.1:8497'
const b=await startBrowser()
const {page,problems}=await openPage(b,url,{locale:'en'})
page.setDefaultTimeout(15000)
await signIn(page,url,'root')
let n=0
const shot=async(name)=>{await settled(page); await page.screenshot({path:`/tmp/ident-shots/h-${String(++n).padStart(2,'0')}-${name}.png`})}
const step=async(name,f)=>{const t=Date.now();try{await f();console.log('ok',name,Date.now()-t,problems.splice(0).join('|'))}catch(e){console.log('FAIL',name,String(e).slice(0,300));await shot('fail-'+name).catch(()=>{})}}
await step('add department by keyboard',async()=>{
  await page.goto(`${url}/application/organisation/application-list/department`); await page.waitForLoadState('networkidle')
  await page.getByRole('button',{name:'Add'}).first().click()
  await page.getByLabel('Name').first().waitFor()
  await page.waitForTimeout(600)
  await page.keyboard.type('Quality Office',{delay:20}); await shot('dep-form')
  const up=page.getByLabel(/Parent|Above|Higher/).first(); await up.click(); await page.keyboard.type('gcb15',{delay:30}); await page.waitForTimeout(900); await shot('dep-picker')
  await page.keyboard.press('Enter'); await page.waitForTimeout(300); await shot('dep-picked')
  await page.keyboard.press('Control+s'); await page.waitForTimeout(1500); await shot('dep-saved')
})
await step('add user',async()=>{
  await page.goto(`${url}/application/organisation/application-list/user`); await page.waitForLoadState('networkidle')
  await page.getByRole('button',{name:'Add'}).first().click()
  await page.getByLabel('Username').first().waitFor(); await page.waitForTimeout(600); await shot('user-form')
  await page.keyboard.type('anna.smith',{delay:20}); await page.keyboard.press('Tab'); await page.keyboard.type('Anna Smith',{delay:20})
  await page.keyboard.press('Control+s'); await page.waitForTimeout(1500); await shot('user-saved')
})
await step('row menu',async()=>{
  await page.goto(`${url}/application/organisation/application-list/user?`); await page.waitForLoadState('networkidle')
  await page.locator('.ag-row[row-index="1"]').getByText('More').first().click(); await page.waitForTimeout(400); await shot('user-menu')
  await page.keyboard.press('Escape')
  await page.locator('.ag-row[row-index="1"]').getByText(/Reset password/).first().click(); await page.waitForTimeout(500); await shot('reset')
  await page.keyboard.press('Escape')
})
await step('handover',async()=>{
  await page.goto(`${url}/application/organisation/application-list/handover`); await page.waitForLoadState('networkidle'); await shot('handover-list')
  await page.getByRole('button',{name:'Add'}).first().click(); await page.waitForTimeout(1200); await shot('handover-form')
})
await step('check a person',async()=>{
  await page.goto(`${url}/rights?view=person`); await page.waitForLoadState('networkidle')
  await page.getByText('Check a person').first().click(); await page.waitForTimeout(500); await shot('rights-person')
  const box=page.getByRole('combobox').first(); await box.click(); await page.keyboard.type('zw',{delay:40}); await page.waitForTimeout(900); await shot('rights-picker')
  await page.keyboard.press('ArrowDown'); await page.keyboard.press('Enter'); await page.waitForTimeout(900); await shot('rights-of')
})
await step('security',async()=>{
  await page.goto(`${url}/user/info`); await page.waitForLoadState('networkidle')
  for(const what of ['Change password','Security','Sign-ins and tokens','Theme settings']){ await page.getByRole('button',{name:what,exact:true}).click(); await page.waitForTimeout(700); await shot(what.replace(/\W/g,'')); await page.keyboard.press('Escape'); await page.waitForTimeout(300) }
})
await step('role',async()=>{
  await page.goto(`${url}/rights/role?pack=shiplock&code=viewer`); await page.waitForLoadState('networkidle'); await shot('role')
})
await b.close(); process.exit(0)
