/**
 * Names of technologies as people type them. The slug itself (with spaces for hyphens) is always a name. A name that
 * ends in "?" is an everyday word as well: it is believed only where the text speaks of using something.
 */
export const TECHNOLOGY_NAMES = `
salesforce: salesforce, sfdc, salesforce crm, sales cloud, sales force crm
hubspot: hubspot, hub spot, hubspot crm
pipedrive: pipedrive, pipe drive
zoho-crm: zoho, zoho crm
microsoft-dynamics-365: dynamics 365, microsoft dynamics, ms dynamics, dynamics crm, d365, microsoft dynamics 365, dynamics nav, business central, navision
sap: sap, sap erp, sap ecc, sap r3
sap-s4hana: sap s4hana, s4hana, s4 hana, sap s4, sap hana, sap s 4 hana, s 4hana
oracle: oracle, oracle erp, oracle database, oracle db, oracle cloud erp
netsuite: netsuite, net suite, oracle netsuite
odoo: odoo, openerp
workday: workday?, workday hcm
bamboohr: bamboohr, bamboo hr
personio: personio
adp: adp
gusto: gusto?, gusto payroll
rippling: rippling
deel: deel
greenhouse: greenhouse?, greenhouse ats, greenhouse io
lever: lever?, lever ats
ashby: ashby?, ashby ats, ashbyhq
marketo: marketo, adobe marketo
pardot: pardot, salesforce pardot
mailchimp: mailchimp, mail chimp
klaviyo: klaviyo
activecampaign: activecampaign, active campaign
braze: braze
iterable: iterable
customer-io: customer io, customerio
sendgrid: sendgrid, send grid, twilio sendgrid
intercom: intercom
zendesk: zendesk, zen desk
freshdesk: freshdesk, freshworks, fresh desk
drift: drift?
gong: gong?, gong io
outreach: outreach?, outreach io
salesloft: salesloft, sales loft
apollo: apollo?, apollo io
zoominfo: zoominfo, zoom info
clay: clay?, clay com
shopify: shopify
shopify-plus: shopify plus
woocommerce: woocommerce, woo commerce, woo
magento: magento, adobe commerce, magento 2
bigcommerce: bigcommerce, big commerce
prestashop: prestashop, presta shop
shopware: shopware, shopware 6
salesforce-commerce-cloud: salesforce commerce cloud, commerce cloud, demandware, sfcc
wordpress: wordpress, word press, wp
drupal: drupal
webflow: webflow
wix: wix
squarespace: squarespace
contentful: contentful
typo3: typo3, typo 3
joomla: joomla
adobe-experience-manager: adobe experience manager, aem
sitecore: sitecore
google-analytics: google analytics, ga4, google analytics 4
google-ads: google ads, google adwords, adwords
google-tag-manager: google tag manager, gtm container
meta-ads: meta ads, facebook ads, fb ads, instagram ads, facebook pixel, meta pixel
linkedin-ads: linkedin ads, linkedin campaign manager
mixpanel: mixpanel
amplitude: amplitude?, amplitude analytics
segment: segment?, twilio segment, segment cdp
heap: heap?, heap analytics
hotjar: hotjar
fullstory: fullstory, full story
optimizely: optimizely
stripe: stripe, stripe payments
adyen: adyen
paypal: paypal, pay pal
klarna: klarna
braintree: braintree
square: square?, square pos
chargebee: chargebee
recurly: recurly
xero: xero
quickbooks: quickbooks, quick books, qbo
sage: sage?, sage 50, sage 100, sage 200, sage x3, sage intacct
datev: datev
lexoffice: lexoffice, lexware office
aws: aws, amazon web services, amazon aws, ec2
azure: azure, microsoft azure, ms azure
google-cloud: google cloud, gcp, google cloud platform
digitalocean: digitalocean, digital ocean
cloudflare: cloudflare
heroku: heroku
vercel: vercel
netlify: netlify
kubernetes: kubernetes, k8s
docker: docker
terraform: terraform
jenkins: jenkins
github: github, github actions
gitlab: gitlab
bitbucket: bitbucket
jira: jira
confluence: confluence
asana: asana
monday: monday com, monday?
trello: trello
notion: notion?
clickup: clickup, click up
slack: slack?
microsoft-teams: microsoft teams, ms teams
zoom: zoom?, zoom meetings
microsoft-365: microsoft 365, office 365, m365, o365, office365
google-workspace: google workspace, g suite, gsuite, google apps
okta: okta
auth0: auth0
crowdstrike: crowdstrike, crowd strike
datadog: datadog, data dog
new-relic: new relic, newrelic
splunk: splunk
pagerduty: pagerduty, pager duty
sentry: sentry
snowflake: snowflake
databricks: databricks
bigquery: bigquery, big query, google bigquery
redshift: redshift, amazon redshift, aws redshift
dbt: dbt, dbt labs
fivetran: fivetran
tableau: tableau
power-bi: power bi, powerbi, microsoft power bi
looker: looker, looker studio
metabase: metabase
postgresql: postgresql, postgres, psql
mysql: mysql, my sql
mongodb: mongodb, mongo, mongo db
redis: redis
elasticsearch: elasticsearch, elastic search, elastic stack, elk stack
kafka: kafka, apache kafka
react: react?, react js, reactjs
angular: angular, angularjs
vue: vue?, vue js, vuejs
next-js: next js, nextjs
node-js: node js, nodejs
python: python
java: java
dotnet: dot net, dotnet, asp net, net core
php: php
ruby-on-rails: ruby on rails, rails, ror
django: django
laravel: laravel
golang: golang, go lang
rust: rust?, rust lang, rustlang
kotlin: kotlin
swift: swift?, swiftui
flutter: flutter?
graphql: graphql
figma: figma
canva: canva
adobe-creative-cloud: adobe creative cloud, creative cloud, adobe cc, adobe creative suite
autocad: autocad, auto cad
servicenow: servicenow, service now, snow itsm
atlassian: atlassian, atlassian suite
docusign: docusign
twilio: twilio
zapier: zapier
make: make com, integromat, make?
n8n: n8n
openai: openai, open ai, chatgpt api, gpt api, chatgpt
anthropic: anthropic, claude api
toast: toast pos, toast?
lightspeed: lightspeed, lightspeed pos
mews: mews
opera-pms: opera pms, oracle opera, opera cloud
procore: procore
shipstation: shipstation, ship station
gorgias: gorgias
yotpo: yotpo
attentive: attentive?, attentive sms
`
