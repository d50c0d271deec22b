import { startBrowser, openPage, signIn, settled } from './server.mjs'
export const url='http://127.0.0.1:8497'
const pages=['/','/application/organisation/application-list/department','/application/organisation/application-list/user','/application/organisation/application-list/role','/system/operation','/system/errors','/system/workflows','/admin/applications','/admin/applications/shiplock','/rights','/rights/role','/audit','/external-links','/user/info','/message-notification','/my-draft','/tasks']
const want=process.argv[2]?process.argv[2].split(','):pages
const looks=[{locale:'zh',width:1440,height:900},{locale:'en',width:390,height:844,dark:true},{locale:'en',width:768,height:1024},{locale:'zh',width:390,height:844}]
const b=await startBrowser()
const only=process.argv[3]?process.argv[3].split(',').map(Number):[0,1,2,3]
for(const k of only){
  const {page,problems}=await openPage(b,url,looks[k])
  page.setDefaultTimeout(15000)
  await signIn(page,url,'root')
  for(const p of want){
    try{
    await page.goto(url+p); await page.waitForLoadState('networkidle').catch(()=>{}); await settled(page)
    const name=p.replace(/\W+/g,'_')+'-'+k
    await page.screenshot({path:`/tmp/ident-shots/${name}.png`})
    const over=await page.evaluate(()=>document.documentElement.scrollWidth-innerWidth)
    console.log(name,await page.title(),over>0?`OVERFLOW ${over}`:'',problems.splice(0).join(' | '))
    }catch(e){console.log(p,k,String(e).slice(0,200))}
  }
}
await b.close()
process.exit(0)
