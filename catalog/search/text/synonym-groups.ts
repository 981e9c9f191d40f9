/**
 * Words of the field that stand for each other when people ask for tools: each line one group. General vocabulary of
 * software, offices and everyday services; no names of products or of tools.
 */
export const SYNONYM_GROUPS = `
delete remove erase drop discard destroy clear purge uninstall
create add make new insert generate register build
update edit modify change set alter revise adjust rename
get fetch retrieve obtain read show view display return
find search lookup query discover locate browse
list enumerate all
send deliver transmit submit dispatch
post publish tweet share
mail email inbox gmail
message chat sms text dm
reply respond answer comment
book reserve schedule reservation booking
cancel abort revoke
buy purchase order shop checkout
sell sale
pay payment charge billing
invoice bill receipt
refund reimburse reimbursement chargeback
calculate compute calculation math evaluate solve
convert transform conversion change exchange
translate translation language
analyze examine inspect assess evaluate review
check verify validate confirm test
compare difference diff versus
download fetch save export
upload import attach
open launch start begin activate
run execute invoke trigger
stop end terminate halt kill shutdown
close shut
start begin initiate
pause suspend
enable activate turn on
disable deactivate turn off
join merge combine concatenate
split divide separate
copy duplicate clone replicate
move transfer relocate
rename name title
invite attendee participant guest
assign allocate delegate
approve accept authorize
reject decline deny refuse
follow subscribe
unfollow unsubscribe
like favorite star bookmark
rate rating score rank ranking
recommend suggest recommendation suggestion
monitor track watch observe
log history record activity
notify alert notification reminder
remind reminder alarm
draw plot chart graph visualize
picture image photo photograph
image photo thumbnail screenshot
video clip movie youtube
movie film cinema show
tv television series show episode
actor actress cast star
song music track audio
singer artist musician band
album playlist
lyric song
podcast episode
play stream listen
volume loudness sound
book novel author
author writer
news headline article
article post blog
weather forecast temperature climate rain
humidity wind weather
air quality pollution
stock share equity ticker
price cost quote rate
stock market finance financial trading
company business firm corporation organization
crypto cryptocurrency bitcoin coin token ethereum
currency exchange money forex
bank account balance
loan mortgage credit
tax vat
salary wage income payroll
budget expense spending
invest investment portfolio
flight airline plane airfare
airport flight
hotel accommodation lodging stay hostel
trip travel itinerary vacation holiday tour
restaurant dining food eat cuisine
recipe cook meal dish ingredient
meal diet nutrition calorie
drink beverage cocktail
grocery supermarket
car vehicle automobile
taxi cab ride uber
train railway rail
bus transit transport
map direction route navigation
address location place
nearby near local around
city town
country nation
latitude longitude coordinate geocode geolocation
zip postal postcode zipcode
distance mile kilometer
time clock timezone hour
date day calendar
calendar schedule agenda event
meeting appointment event
task todo reminder
holiday festival celebration
birthday age born birth
job career vacancy employment hiring
resume cv
employee staff worker
student pupil learner
course class lesson curriculum
school university college
exam test quiz
homework assignment
doctor physician medical clinic
patient medical health
disease illness condition symptom diagnosis
medicine drug medication prescription
hospital clinic
fitness exercise workout gym
weight bmi
sleep rest
sport game match team
player athlete
league championship tournament
team club
score result standing
game gaming
joke humor funny
fun entertainment
quote quotation saying
word vocabulary dictionary definition
define definition meaning dictionary
synonym thesaurus antonym
grammar spelling proofread
summarize summary abstract tldr
write compose draft
text string
password passphrase credential
login signin authenticate sign authentication
logout signout
register signup
user account profile member
contact person address
friend follower connection
group channel room community
role permission access privilege
key token secret credential
encrypt cipher encode
decrypt decode
url link website web site
website webpage page site domain
domain dns whois
ip address
internet web online
browser page tab
scrape crawl extract
click press tap
screenshot capture
file document
folder directory
pdf document
spreadsheet excel sheet workbook
presentation slide slideshow powerpoint deck ppt
word document docx
table grid
row record
column field
database sql table
query sql
schema structure
repository repo git
commit revision
branch fork
issue bug ticket
pull merge
code program script source
compile build
deploy release rollout
server host machine instance
cluster node kubernetes
pod container
container docker image
terminal shell command console
process job
error exception failure fault
crash failure
cpu memory disk
status state health
metric statistic stats
statistics stats data analytics
report summary
dashboard panel
setting preference configuration option
version release
latest recent newest current
recent latest last
popular trending top best hot
random arbitrary
upcoming future next
previous past historical history
detail information info data
specific particular
number count total amount quantity
average mean
maximum max highest largest biggest
minimum min lowest smallest
sum total add
multiply product times
subtract minus difference
divide quotient
round rounding
area surface
perimeter circumference
speed velocity
force acceleration
probability chance odds likelihood
predict prediction forecast
product item goods merchandise
customer client buyer
seller vendor merchant supplier
order purchase
shipment shipping delivery parcel package
track trace
discount coupon promo deal voucher
cart basket
inventory stock warehouse
review rating feedback
brand manufacturer
house home property estate
rent lease rental apartment
property listing
light lamp bulb
thermostat temperature heating
lock unlock
door gate
engine motor
tire tyre wheel
brake pedal
fuel gas gasoline petrol
battery charge
parking park
animal pet
dog puppy
cat kitten
plant garden gardening
planet space astronomy star
nasa space
earthquake seismic
law legal lawyer
court case judge
crime police
government policy
election vote candidate
population demographic
religion religious
art painting artwork
museum gallery exhibition
design style layout
logo icon
font typeface
color palette
fashion clothing outfit apparel
makeup cosmetic beauty
gift present
wedding marriage
horoscope zodiac astrology
tarot fortune
dream interpretation
name naming
gender sex
phone telephone mobile call
call dial phone
voice speech
speech audio transcription
transcribe transcript caption subtitle
qr barcode
ocr text recognition
face facial
detect detection recognize identify
classify category categorize
category genre type kind
tag label keyword
hashtag tag
keyword seo
advertisement ad campaign marketing
campaign marketing promotion
social media network
tweet twitter post
thread discussion conversation
forum community
question ask faq
survey poll questionnaire
form input
email address contact
spam junk phishing
safe security secure
vulnerability exploit cve
malware virus threat
firewall rule
vpn proxy
network connection
device hardware
sensor measurement
compress zip archive
extract unzip
backup archive
restore recover
sync synchronize
filter narrow
sort order arrange
limit maximum
language locale
research study paper
paper publication journal arxiv scholarly
scientist researcher
patent invention
chemical molecule compound
gene protein dna
math equation formula
`
