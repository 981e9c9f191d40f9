/** Made by `scripts/train-screening.ts --write`: how much each sign, and each pair of them, speaks for an instruction. */
const TEXT = `
bias=-3.94 threshold=2.46 approved=0.55 approved+aside=0.82 approved+change=0.71 approved+consent=0.86
approved+content=-0.09 approved+destroy=0.93 approved+endpoint=-0.46 approved+hide=0.73 approved+ill=0.46
approved+long=0.52 approved+mention=1.26 approved+model=-0.57 approved+move=-0.51 approved+not=0.05
approved+obey=-1.42 approved+oblige=0.28 approved+order=-1.35 approved+ordered=-2.34 approved+otherEffect=-1.20
approved+otherTool=-1.61 approved+ownTopic=-2.39 approved+parameter=-0.88 approved+place=-0.64
approved+privileged=0.10 approved+put=-0.38 approved+read=0.90 approved+risk=-0.46 approved+rule=1.80
approved+run=0.15 approved+said=-1.77 approved+secret=0.83 approved+tell=-0.11 approved+tools=-0.19
approved+user=-0.38 approved+when=0.18 approved+whole=-0.17 approved+will=1.41 approved+you=-1.83 aside=-0.03
aside+change=0.67 aside+chat=0.69 aside+consent=0.22 aside+content=-0.15 aside+destroy=0.68 aside+endpoint=0.76
aside+given=0.32 aside+hide=1.29 aside+ignore=0.97 aside+ill=0.48 aside+long=0.11 aside+mention=-0.39
aside+model=0.22 aside+move=0.25 aside+not=0.06 aside+obey=1.30 aside+order=0.52 aside+ordered=0.67
aside+otherEffect=1.13 aside+otherTool=0.53 aside+outside=0.77 aside+ownTopic=0.45 aside+place=0.20
aside+privileged=2.24 aside+put=0.36 aside+read=-0.11 aside+risk=0.96 aside+rule=1.31 aside+run=0.28
aside+said=0.05 aside+secret=0.41 aside+secretPlace=1.84 aside+tell=0.57 aside+tools=0.03 aside+unsafe=2.16
aside+url=1.30 aside+user=0.29 aside+when=-0.04 aside+whole=0.56 aside+will=0.47 aside+you=0.19 change=0.24
change+chat=0.58 change+consent=0.18 change+content=-0.78 change+destroy=-0.04 change+endpoint=1.60
change+given=0.40 change+hide=0.39 change+ignore=-1.26 change+ill=1.78 change+long=-0.50 change+mention=-1.40
change+model=0.28 change+move=-0.84 change+not=-0.12 change+oblige=0.24 change+order=-0.75 change+ordered=-0.03
change+otherEffect=0.39 change+otherTool=2.69 change+outside=0.74 change+ownTopic=-1.23 change+parameter=-1.42
change+place=-0.24 change+privileged=-0.26 change+put=-0.77 change+read=1.02 change+risk=-0.09
change+rule=-1.66 change+run=-1.66 change+said=-0.34 change+secret=-0.20 change+secretPlace=1.16
change+tell=-2.86 change+tools=1.30 change+unsafe=-0.99 change+user=1.33 change+when=1.53 change+whole=0.52
change+will=0.41 change+you=-1.07 chat=0.51 chat+content=0.04 chat+endpoint=0.45 chat+given=1.56 chat+hide=0.21
chat+ignore=-0.13 chat+long=-0.09 chat+mention=-0.88 chat+model=-0.62 chat+move=0.71 chat+not=-2.75
chat+oblige=1.12 chat+order=-0.84 chat+ordered=0.30 chat+ownTopic=-0.13 chat+parameter=0.36 chat+place=1.64
chat+privileged=-0.93 chat+put=0.67 chat+read=0.70 chat+rule=-0.99 chat+said=-0.58 chat+tell=-0.24
chat+user=-0.30 chat+when=0.67 chat+whole=0.56 chat+you=1.66 consent=0.18 consent+content=-1.47
consent+destroy=0.60 consent+given=1.07 consent+long=-0.44 consent+mention=-1.35 consent+move=-0.55
consent+not=-0.13 consent+oblige=-1.18 consent+ordered=-0.37 consent+otherTool=0.09 consent+ownTopic=-2.55
consent+parameter=-0.46 consent+place=-1.52 consent+privileged=-1.18 consent+put=0.33 consent+read=0.71
consent+risk=-0.13 consent+rule=0.26 consent+run=-0.63 consent+said=-0.41 consent+secret=-0.20
consent+tools=0.23 consent+user=-0.84 consent+when=-1.03 consent+whole=1.42 consent+will=1.53 consent+you=-1.59
content=0.18 content+destroy=0.80 content+endpoint=-0.04 content+given=0.24 content+hide=0.93
content+ignore=0.28 content+ill=0.79 content+long=-0.73 content+mention=-0.35 content+model=2.17
content+move=0.69 content+not=-0.35 content+oblige=1.47 content+order=0.84 content+ordered=0.10
content+otherTool=-0.87 content+outside=0.04 content+ownTopic=-1.29 content+parameter=0.48 content+place=0.32
content+privileged=-0.86 content+put=0.18 content+read=0.75 content+risk=0.59 content+rule=0.14
content+run=0.45 content+said=0.25 content+secret=0.59 content+secretPlace=1.16 content+tell=1.94
content+tools=-0.79 content+user=1.79 content+when=-0.46 content+whole=-0.72 content+will=-0.92
content+you=1.14 destroy=-0.20 destroy+endpoint=-1.68 destroy+given=-0.84 destroy+ignore=-0.04
destroy+long=-0.83 destroy+mention=-0.67 destroy+move=-0.36 destroy+not=0.67 destroy+oblige=-0.99
destroy+order=1.11 destroy+ordered=-1.41 destroy+otherTool=0.65 destroy+ownTopic=-1.39 destroy+parameter=-0.36
destroy+place=-0.81 destroy+privileged=1.08 destroy+put=-1.08 destroy+read=-0.43 destroy+risk=0.81
destroy+rule=-1.77 destroy+run=-1.06 destroy+said=-0.54 destroy+secret=-1.93 destroy+tools=-1.36
destroy+user=-0.49 destroy+when=-1.50 destroy+whole=-0.22 destroy+you=-0.24 endpoint=-0.25 endpoint+given=-0.51
endpoint+hide=0.98 endpoint+ignore=0.25 endpoint+ill=-0.52 endpoint+long=-0.40 endpoint+mention=-0.06
endpoint+model=-0.78 endpoint+move=0.52 endpoint+not=0.76 endpoint+obey=0.04 endpoint+oblige=0.65
endpoint+order=0.55 endpoint+ordered=-0.35 endpoint+otherTool=0.16 endpoint+outside=0.25
endpoint+ownTopic=-0.63 endpoint+parameter=-1.26 endpoint+place=-0.64 endpoint+privileged=1.11
endpoint+put=-0.47 endpoint+read=-0.20 endpoint+risk=-0.26 endpoint+rule=0.45 endpoint+run=-0.22
endpoint+said=1.42 endpoint+secretPlace=1.12 endpoint+tell=1.29 endpoint+tools=0.42 endpoint+unsafe=0.25
endpoint+url=-0.49 endpoint+user=1.09 endpoint+when=0.72 endpoint+will=0.86 endpoint+you=-0.99 given=-0.19
given+hide=0.81 given+ignore=0.83 given+ill=-0.19 given+long=-1.19 given+mention=-0.39 given+model=-0.41
given+move=-0.42 given+not=0.63 given+obey=-0.12 given+oblige=0.48 given+order=-0.70 given+ordered=0.95
given+otherTool=0.18 given+outside=0.05 given+ownTopic=-1.40 given+parameter=0.22 given+place=0.14
given+privileged=-0.92 given+put=-0.34 given+read=0.41 given+risk=-0.56 given+rule=0.80 given+run=0.22
given+said=0.54 given+secret=-0.17 given+secretPlace=1.36 given+tell=-0.14 given+tools=0.26 given+user=0.94
given+when=-1.06 given+whole=0.51 given+will=0.03 given+you=0.48 hide=0.91 hide+long=0.67 hide+mention=-0.97
hide+model=0.45 hide+move=-0.59 hide+not=-1.46 hide+oblige=0.68 hide+order=1.23 hide+ordered=0.16
hide+otherTool=1.07 hide+outside=-0.51 hide+ownTopic=-0.83 hide+place=1.08 hide+put=1.38 hide+read=1.20
hide+risk=0.10 hide+rule=0.52 hide+run=0.69 hide+said=0.28 hide+secret=1.89 hide+tools=-0.26 hide+user=-0.07
hide+when=-0.78 hide+whole=0.44 hide+will=0.85 hide+you=0.61 ignore=0.69 ignore+ill=1.06 ignore+long=1.13
ignore+mention=-0.30 ignore+model=-0.43 ignore+move=1.12 ignore+obey=1.91 ignore+order=0.29 ignore+ordered=2.23
ignore+ownTopic=-0.86 ignore+parameter=-1.93 ignore+place=-0.33 ignore+read=1.38 ignore+risk=-0.41
ignore+rule=-0.40 ignore+said=0.76 ignore+tell=-0.26 ignore+tools=0.43 ignore+user=0.50 ignore+when=0.11
ignore+whole=-0.64 ignore+you=1.15 ill=0.17 ill+long=0.14 ill+mention=0.10 ill+move=0.55 ill+oblige=-0.04
ill+order=-0.52 ill+ordered=-0.26 ill+outside=0.47 ill+ownTopic=-2.28 ill+parameter=-1.33 ill+place=-0.38
ill+privileged=0.51 ill+put=-0.16 ill+read=-0.12 ill+risk=1.47 ill+rule=-0.24 ill+run=-0.19 ill+secret=0.70
ill+tools=0.93 ill+user=-1.82 ill+when=-0.20 ill+whole=-0.12 ill+you=-0.36 long=-0.48 long+mention=-0.25
long+model=1.19 long+move=1.27 long+not=1.01 long+obey=-0.85 long+oblige=0.39 long+order=0.30 long+ordered=1.36
long+otherEffect=0.64 long+otherTool=-0.02 long+outside=0.11 long+ownTopic=-1.08 long+parameter=-0.70
long+place=-0.23 long+privileged=-0.77 long+put=0.59 long+read=0.22 long+rule=-0.73 long+run=-0.39
long+said=0.40 long+secret=1.11 long+secretPlace=0.38 long+tell=-1.11 long+tools=-0.06 long+unsafe=-1.98
long+user=0.12 long+when=0.31 long+whole=0.30 long+will=-0.18 long+you=-0.75 mention=-0.70 mention+model=-0.72
mention+move=-0.30 mention+not=-0.11 mention+oblige=2.02 mention+order=1.24 mention+ordered=-0.69
mention+otherEffect=-1.49 mention+otherTool=-0.30 mention+outside=-0.23 mention+ownTopic=-0.46
mention+parameter=-0.48 mention+place=-2.40 mention+privileged=-0.72 mention+put=0.88 mention+read=0.19
mention+risk=-0.12 mention+rule=-1.64 mention+run=-0.49 mention+said=-1.31 mention+secret=0.26
mention+secretPlace=0.79 mention+tell=-0.53 mention+tools=-0.54 mention+unsafe=-1.07 mention+user=0.30
mention+when=-0.40 mention+whole=-1.43 mention+will=-0.44 mention+you=-0.72 model=-0.29 model+move=1.14
model+not=-0.59 model+obey=0.69 model+oblige=0.80 model+order=0.37 model+ordered=-0.91 model+otherTool=1.12
model+outside=1.18 model+ownTopic=-0.03 model+parameter=-0.87 model+place=1.82 model+privileged=0.46
model+put=0.67 model+read=0.46 model+risk=-0.18 model+rule=-1.45 model+run=-0.84 model+said=-0.87
model+secret=-0.14 model+secretPlace=0.28 model+tell=-0.85 model+tools=-1.24 model+user=0.64 model+when=0.65
model+whole=1.62 model+will=0.59 model+you=-0.38 move=-0.18 move+not=1.01 move+obey=-0.07 move+oblige=1.12
move+order=0.89 move+ordered=0.30 move+otherEffect=-0.63 move+otherTool=0.49 move+outside=1.53
move+ownTopic=-0.71 move+parameter=-0.93 move+place=-0.65 move+privileged=-0.06 move+put=-0.08 move+read=-0.22
move+risk=0.83 move+rule=0.20 move+run=0.61 move+said=-0.16 move+secret=-0.99 move+secretPlace=0.09
move+tell=0.42 move+tools=1.40 move+unsafe=0.93 move+url=2.45 move+user=0.19 move+when=-0.43 move+whole=-0.75
move+will=-0.21 move+you=0.67 not=-0.03 not+obey=0.47 not+oblige=0.58 not+order=0.13 not+otherEffect=-3.87
not+otherTool=-0.42 not+outside=-0.48 not+parameter=-2.12 not+place=-0.28 not+privileged=-1.16 not+put=-1.04
not+read=-0.80 not+risk=-0.82 not+rule=2.07 not+run=-0.09 not+said=0.73 not+secret=-0.13 not+tell=1.39
not+tools=0.07 not+unsafe=0.26 not+user=-0.18 not+when=-1.10 not+will=-0.07 not+you=0.38 obey=0.64
obey+oblige=0.54 obey+ordered=1.56 obey+ownTopic=-3.04 obey+parameter=-1.97 obey+place=0.74
obey+privileged=-2.43 obey+put=-0.80 obey+read=-0.04 obey+risk=-0.44 obey+rule=1.56 obey+run=0.76
obey+said=0.09 obey+tools=-1.48 obey+user=0.54 obey+when=1.49 obey+whole=-1.41 obey+you=-0.11 oblige=-0.10
oblige+order=-0.11 oblige+ordered=-0.02 oblige+otherEffect=1.28 oblige+otherTool=1.37 oblige+outside=1.05
oblige+ownTopic=0.08 oblige+parameter=0.29 oblige+place=-0.23 oblige+privileged=1.07 oblige+put=0.30
oblige+read=-0.23 oblige+risk=-0.12 oblige+rule=-0.16 oblige+run=0.44 oblige+said=1.09 oblige+secret=-0.40
oblige+secretPlace=0.77 oblige+tell=-0.40 oblige+tools=0.49 oblige+unsafe=1.99 oblige+user=0.80
oblige+when=0.07 oblige+whole=-0.97 oblige+will=-1.67 oblige+you=-1.63 order=-0.04 order+ordered=-1.98
order+otherEffect=0.59 order+otherTool=-0.21 order+outside=1.29 order+ownTopic=0.54 order+parameter=-2.41
order+place=0.18 order+privileged=0.95 order+put=-0.40 order+read=1.33 order+risk=0.04 order+rule=0.29
order+run=0.99 order+said=-0.56 order+secret=2.96 order+secretPlace=0.59 order+tell=0.12 order+tools=-1.01
order+url=-0.15 order+user=-0.91 order+when=-0.76 order+whole=-0.27 order+will=-1.88 order+you=-0.54
ordered=0.79 ordered+otherEffect=-2.02 ordered+otherTool=-1.10 ordered+outside=1.33 ordered+ownTopic=0.76
ordered+parameter=-0.45 ordered+place=0.33 ordered+put=-0.90 ordered+read=-0.48 ordered+risk=0.47
ordered+rule=-0.15 ordered+run=1.65 ordered+said=-0.20 ordered+secret=0.21 ordered+secretPlace=2.36
ordered+tell=-0.81 ordered+tools=0.59 ordered+unsafe=-0.46 ordered+url=1.01 ordered+user=0.33
ordered+when=-0.22 ordered+whole=-0.71 ordered+will=-1.12 ordered+you=0.60 otherEffect=1.18
otherEffect+otherTool=1.18 otherEffect+ownTopic=-0.60 otherEffect+parameter=-2.32 otherEffect+privileged=-0.03
otherEffect+put=-0.93 otherEffect+read=-0.28 otherEffect+risk=0.66 otherEffect+rule=-1.91 otherEffect+run=0.94
otherEffect+said=-2.78 otherEffect+tools=0.45 otherEffect+user=0.75 otherEffect+when=0.76
otherEffect+whole=1.07 otherTool=0.98 otherTool+outside=-0.23 otherTool+ownTopic=-0.41 otherTool+parameter=0.33
otherTool+place=0.99 otherTool+privileged=0.45 otherTool+put=-0.39 otherTool+read=0.11 otherTool+risk=-0.98
otherTool+rule=-3.10 otherTool+run=1.30 otherTool+said=0.48 otherTool+secret=0.07 otherTool+tools=0.72
otherTool+unsafe=1.32 otherTool+user=-1.05 otherTool+when=-0.66 otherTool+whole=1.27 otherTool+will=-1.00
otherTool+you=-0.51 outside=0.59 outside+ownTopic=0.12 outside+parameter=-0.91 outside+place=-0.50
outside+privileged=-0.29 outside+put=-1.44 outside+read=0.35 outside+risk=-0.08 outside+rule=0.38
outside+run=-0.30 outside+said=0.36 outside+secretPlace=0.49 outside+tell=-0.95 outside+tools=-0.32
outside+unsafe=-0.07 outside+user=-1.35 outside+when=1.17 outside+whole=1.19 outside+will=0.26
outside+you=-0.58 ownTopic=-0.71 ownTopic+parameter=-0.73 ownTopic+place=-0.38 ownTopic+privileged=-1.08
ownTopic+put=0.43 ownTopic+read=-0.70 ownTopic+risk=-0.69 ownTopic+rule=0.25 ownTopic+run=0.29
ownTopic+said=-0.55 ownTopic+secret=-0.49 ownTopic+secretPlace=-1.86 ownTopic+tell=0.51 ownTopic+tools=-0.93
ownTopic+url=-1.68 ownTopic+user=-1.10 ownTopic+when=0.64 ownTopic+whole=0.06 ownTopic+will=-1.98
ownTopic+you=-0.78 parameter=-0.82 parameter+place=-0.24 parameter+privileged=-1.23 parameter+put=-0.55
parameter+read=0.11 parameter+risk=-0.83 parameter+rule=-0.15 parameter+run=-1.00 parameter+said=1.29
parameter+secret=0.60 parameter+tell=-0.69 parameter+tools=1.19 parameter+url=-0.67 parameter+user=1.13
parameter+when=0.02 parameter+whole=1.58 parameter+will=-0.60 parameter+you=1.35 place=-0.25
place+privileged=-1.48 place+put=0.37 place+read=-0.74 place+risk=-0.43 place+rule=0.08 place+run=-0.83
place+said=0.06 place+secret=1.71 place+secretPlace=2.06 place+tell=-0.25 place+tools=0.11 place+unsafe=0.10
place+url=0.07 place+user=1.12 place+when=1.64 place+whole=0.55 place+will=0.91 place+you=0.86 privileged=0.92
privileged+put=-0.20 privileged+read=0.33 privileged+risk=1.16 privileged+rule=-1.56 privileged+run=0.72
privileged+said=0.08 privileged+secret=-0.15 privileged+tell=-0.78 privileged+tools=-0.38 privileged+url=-0.93
privileged+user=0.45 privileged+when=-0.31 privileged+whole=0.54 privileged+will=-0.30 privileged+you=-0.59
put=-0.09 put+read=0.75 put+risk=-0.66 put+rule=-0.84 put+run=-1.01 put+said=-0.36 put+secret=1.45
put+secretPlace=1.33 put+tell=-0.56 put+tools=0.86 put+unsafe=-1.02 put+url=0.13 put+user=-1.22 put+when=0.74
put+whole=0.19 put+will=0.12 put+you=-0.16 read=-0.02 read+risk=0.79 read+rule=-0.65 read+run=-0.48
read+said=0.10 read+secret=0.07 read+secretPlace=0.67 read+tell=1.41 read+tools=0.47 read+unsafe=-0.02
read+url=0.48 read+user=0.10 read+when=0.09 read+whole=-0.87 read+will=-1.05 read+you=-0.46 risk=0.16
risk+rule=-0.35 risk+run=-0.35 risk+said=-0.47 risk+secret=-0.44 risk+secretPlace=1.32 risk+tell=0.57
risk+tools=-0.76 risk+unsafe=0.13 risk+url=-0.69 risk+user=-0.42 risk+when=-0.59 risk+whole=-0.69
risk+will=-0.18 risk+you=-0.09 rule=1.41 rule+run=-1.20 rule+said=-0.47 rule+secret=-1.21 rule+tell=-0.52
rule+tools=-0.36 rule+user=1.81 rule+when=-0.03 rule+whole=0.77 rule+will=0.03 rule+you=1.25 run=0.40
run+said=-2.88 run+secret=0.07 run+tell=-1.14 run+tools=0.88 run+user=-0.48 run+when=1.53 run+whole=0.16
run+will=0.47 run+you=1.23 said=-0.03 said+secret=-0.23 said+tell=0.10 said+tools=2.56 said+user=0.29
said+when=1.03 said+whole=0.90 said+will=-0.35 said+you=0.48 secret=0.19 secret+secretPlace=-0.29
secret+tell=-2.39 secret+tools=-0.06 secret+url=0.58 secret+user=0.11 secret+when=0.60 secret+whole=0.90
secret+will=0.26 secret+you=-0.11 secretPlace=1.51 secretPlace+tools=0.12 secretPlace+user=0.86
secretPlace+when=2.78 secretPlace+whole=0.35 secretPlace+you=1.36 tell=0.26 tell+tools=0.97 tell+user=-0.14
tell+when=-0.36 tell+whole=-1.21 tell+will=-0.35 tell+you=-0.07 tools=0.32 tools+unsafe=0.87 tools+user=-0.58
tools+when=-0.28 tools+whole=1.17 tools+will=0.24 tools+you=0.95 unsafe=0.96 unsafe+when=-1.35 url=1.00
url+when=0.64 url+whole=-0.61 user=0.26 user+when=-0.07 user+whole=1.17 user+will=-0.10 user+you=0.17
when=-0.49 when+whole=0.32 when+will=2.02 when+you=-0.43 whole=1.02 whole+will=-0.20 whole+you=0.99 will=-0.23
will+you=0.17 you=0.43
`

export const WEIGHTS: ReadonlyMap<string, number> = new Map(
  TEXT.trim()
    .split(/\s+/)
    .map((entry) => {
      const [name = '', weight] = entry.split('=')
      return [name, Number(weight)] as const
    }),
)
