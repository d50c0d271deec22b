import { startBrowser, openPage, signIn, settled } from './server.mjs'
const url='http://127.0.0.1:8497'
const b=await startBrowser()
const {page,problems}=await openPage(b,url,{locale:'zh'})
page.setDefaultTimeout(20000)
await signIn(page,url,'root')
for(const [m,f] of [['department','dep'],['user','users']]){
  await page.goto(`${url}/application/organisation/application-list/${m}`); await page.waitForLoadState('networkidle')
  let imp=page.getByRole('button',{name:/^导\s?入$/}).first()
  if(!await imp.isVisible().catch(()=>false)){ await page.getByRole('button',{name:/更多/}).first().click(); imp=page.getByRole('menuitem',{name:/导入/}).first() }
  const t0=Date.now()
  await imp.click()
  await page.waitForSelector('input[type=file]',{state:'attached'})
  await page.setInputFiles('input[type=file]',`/tmp/ident-x/${f}.csv`)
  await page.waitForTimeout(2500); await page.screenshot({path:`/tmp/ident-shots/imp-${m}-1.png`})
  const d=page.getByRole('dialog').last()
  const go=d.getByRole('button').filter({hasText:/导\s?入|开\s?始|下一步|检\s?查/}).last()
  console.log(await d.getByRole('button').allInnerTexts())
  await go.click(); 
  for(let i=0;i<60;i++){ await page.waitForTimeout(1000); const t=await page.locator('body').innerText(); if(/已导入|导入完成|完成/.test(t)&&!/正在/.test(t)) break }
  await page.screenshot({path:`/tmp/ident-shots/imp-${m}-2.png`})
  console.log(m,Date.now()-t0,(await d.innerText().catch(()=>'')).slice(0,300),problems.splice(0))
}
await b.close(); process.exit(0)
