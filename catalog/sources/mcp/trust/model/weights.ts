/** Made by `scripts/train-screening.ts --write`: how much each sign, and each pair of them, speaks for an instruction. */
const TEXT = `
bias=-4.31 threshold=1.65 approved=0.80 approved+aside=1.18 approved+change=0.69 approved+consent=1.17
approved+content=-0.13 approved+destroy=0.55 approved+endpoint=-0.70 approved+given=0.04 approved+hide=0.58
approved+ill=0.35 approved+long=0.55 approved+mention=1.27 approved+model=-0.58 approved+move=-0.70
approved+not=-0.06 approved+obey=-1.56 approved+oblige=-0.30 approved+order=-1.41 approved+ordered=-0.74
approved+otherEffect=-1.27 approved+otherTool=-1.11 approved+outside=-1.42 approved+ownTopic=-2.67
approved+parameter=-1.05 approved+place=-0.59 approved+privileged=-0.46 approved+put=-0.36 approved+read=0.91
approved+risk=-0.11 approved+rule=1.62 approved+run=-0.95 approved+said=-1.90 approved+secret=0.61
approved+tell=-0.09 approved+tools=-0.44 approved+user=-0.63 approved+when=-0.18 approved+whole=-0.05
approved+will=1.22 approved+you=-1.75 aside=-0.15 aside+change=0.76 aside+chat=0.67 aside+consent=0.30
aside+destroy=0.92 aside+endpoint=0.88 aside+given=0.16 aside+hide=0.90 aside+ignore=0.96 aside+ill=0.73
aside+long=0.14 aside+mention=-0.50 aside+model=0.47 aside+move=0.50 aside+not=0.32 aside+obey=0.94
aside+oblige=-0.09 aside+order=1.22 aside+ordered=0.82 aside+otherEffect=1.28 aside+otherTool=0.70
aside+outside=0.70 aside+ownTopic=0.46 aside+place=0.11 aside+privileged=2.26 aside+put=0.12 aside+read=0.09
aside+risk=1.06 aside+rule=1.55 aside+run=0.22 aside+secret=0.36 aside+secretPlace=1.87 aside+tell=0.93
aside+tools=-0.07 aside+unsafe=1.57 aside+url=1.47 aside+user=0.29 aside+when=-0.02 aside+whole=0.38
aside+will=0.36 aside+you=-0.09 change=0.28 change+chat=0.32 change+consent=-0.02 change+content=-1.02
change+destroy=-0.86 change+endpoint=1.55 change+given=0.65 change+hide=0.19 change+ignore=-0.98
change+ill=1.53 change+long=-0.19 change+mention=-1.82 change+model=-0.91 change+move=-0.90 change+oblige=0.36
change+order=-1.21 change+ordered=-0.08 change+otherEffect=0.40 change+otherTool=1.94 change+outside=1.01
change+ownTopic=-1.05 change+parameter=-1.06 change+place=0.19 change+privileged=-0.25 change+put=-0.95
change+read=1.00 change+risk=0.11 change+rule=0.08 change+run=-1.45 change+said=-0.79 change+secret=0.09
change+secretPlace=1.30 change+tell=-2.54 change+tools=1.26 change+unsafe=-1.18 change+user=0.73
change+when=1.52 change+whole=0.50 change+will=0.51 change+you=-0.66 chat=0.70 chat+content=-0.40
chat+endpoint=-1.17 chat+given=1.61 chat+hide=0.33 chat+ignore=-0.06 chat+long=0.20 chat+mention=-1.12
chat+model=-0.70 chat+move=0.56 chat+not=-2.13 chat+oblige=0.73 chat+order=-0.79 chat+ordered=0.26
chat+outside=0.47 chat+ownTopic=-0.21 chat+parameter=0.61 chat+place=1.45 chat+privileged=-0.90 chat+put=0.39
chat+read=0.96 chat+risk=0.13 chat+rule=-1.01 chat+said=-0.75 chat+tell=-0.20 chat+user=-0.16 chat+when=0.74
chat+whole=0.35 chat+you=1.71 consent=0.29 consent+content=-0.13 consent+given=1.12 consent+long=-0.13
consent+mention=-1.11 consent+move=-0.83 consent+not=-0.35 consent+oblige=-1.43 consent+ordered=0.91
consent+otherTool=-0.31 consent+ownTopic=-2.72 consent+parameter=-0.44 consent+place=-1.60
consent+privileged=-1.22 consent+put=0.13 consent+read=0.47 consent+risk=0.22 consent+rule=-0.21
consent+run=-1.99 consent+said=-0.68 consent+user=-0.72 consent+when=-1.11 consent+whole=1.48 consent+will=1.12
consent+you=-2.08 content=0.52 content+destroy=0.66 content+endpoint=0.09 content+given=0.05 content+ill=0.83
content+long=-0.73 content+mention=-0.59 content+model=2.40 content+move=0.90 content+not=-0.30
content+oblige=1.07 content+order=1.04 content+ordered=0.36 content+otherTool=-1.50 content+outside=-1.13
content+ownTopic=-1.30 content+parameter=0.34 content+place=0.24 content+privileged=-0.62 content+put=0.31
content+read=1.26 content+risk=0.27 content+rule=-0.23 content+run=0.05 content+said=-0.31 content+secret=1.33
content+secretPlace=0.90 content+tell=1.68 content+tools=-0.40 content+user=1.85 content+when=-0.39
content+whole=-0.50 content+will=-0.21 content+you=1.00 destroy=0.18 destroy+endpoint=-0.99 destroy+given=-0.25
destroy+ignore=-0.45 destroy+long=-0.69 destroy+mention=-0.74 destroy+move=-1.44 destroy+not=0.19
destroy+oblige=-1.06 destroy+order=0.82 destroy+ordered=-1.59 destroy+otherTool=0.19 destroy+ownTopic=-1.16
destroy+parameter=-0.38 destroy+place=-0.99 destroy+privileged=0.92 destroy+put=-2.12 destroy+read=-0.41
destroy+risk=1.05 destroy+rule=-1.71 destroy+run=-1.01 destroy+said=-0.69 destroy+secret=-0.41
destroy+tools=-0.33 destroy+user=-0.56 destroy+when=-1.39 destroy+whole=0.22 destroy+will=-1.45
destroy+you=0.64 endpoint=0.07 endpoint+given=-0.84 endpoint+ignore=-0.04 endpoint+ill=-0.54
endpoint+long=-0.45 endpoint+mention=0.02 endpoint+model=-0.46 endpoint+move=-0.03 endpoint+not=0.53
endpoint+obey=-0.74 endpoint+oblige=0.71 endpoint+order=0.51 endpoint+ordered=-0.61 endpoint+otherTool=0.63
endpoint+outside=-0.88 endpoint+ownTopic=-0.56 endpoint+parameter=-1.30 endpoint+place=0.24
endpoint+privileged=0.79 endpoint+put=-1.25 endpoint+read=-0.10 endpoint+risk=-0.52 endpoint+rule=0.25
endpoint+run=-0.11 endpoint+said=1.04 endpoint+secret=0.20 endpoint+tell=1.72 endpoint+tools=0.53
endpoint+unsafe=0.28 endpoint+url=-0.41 endpoint+user=0.92 endpoint+when=0.64 endpoint+whole=-0.06
endpoint+will=1.20 endpoint+you=-0.91 given+hide=1.13 given+ignore=0.90 given+ill=-0.60 given+long=-1.34
given+mention=-0.12 given+model=-1.14 given+move=-0.75 given+not=0.67 given+obey=-0.29 given+oblige=0.22
given+order=-0.76 given+ordered=0.93 given+otherTool=0.07 given+outside=-0.50 given+ownTopic=-1.17
given+place=-0.16 given+privileged=-1.50 given+put=-0.34 given+read=0.43 given+risk=-0.62 given+rule=0.67
given+run=0.02 given+said=0.35 given+secret=0.11 given+secretPlace=1.25 given+tell=-0.19 given+tools=0.27
given+user=0.63 given+when=-1.25 given+whole=0.33 given+will=0.11 given+you=0.60 hide=0.72 hide+long=0.43
hide+mention=-2.19 hide+model=0.74 hide+move=1.53 hide+not=-1.20 hide+oblige=0.57 hide+order=1.05
hide+ordered=0.33 hide+outside=-0.69 hide+ownTopic=-0.22 hide+place=0.59 hide+put=0.46 hide+read=0.91
hide+risk=0.55 hide+rule=0.40 hide+run=0.41 hide+said=0.27 hide+secret=1.51 hide+tools=-0.07 hide+user=1.27
hide+when=0.84 hide+whole=1.13 hide+will=1.82 hide+you=0.99 ignore=0.40 ignore+long=1.19 ignore+mention=-0.10
ignore+model=-0.07 ignore+move=0.14 ignore+order=0.70 ignore+ordered=1.84 ignore+ownTopic=-0.44
ignore+parameter=-1.46 ignore+place=0.20 ignore+read=0.96 ignore+risk=-0.54 ignore+rule=-0.25 ignore+said=0.56
ignore+tell=-0.09 ignore+tools=0.74 ignore+user=-0.55 ignore+when=0.81 ignore+whole=-0.30 ignore+you=1.13
ill=0.34 ill+long=-0.15 ill+mention=0.26 ill+oblige=-0.61 ill+ordered=-0.07 ill+outside=0.56 ill+ownTopic=-2.05
ill+parameter=-0.86 ill+privileged=0.31 ill+put=-1.16 ill+read=-0.15 ill+risk=1.15 ill+rule=-0.52 ill+run=-0.56
ill+said=-0.33 ill+secret=0.28 ill+tools=0.56 ill+unsafe=0.41 ill+user=-0.50 ill+when=0.09 ill+whole=0.62
ill+you=-0.63 long=-0.38 long+mention=-0.03 long+model=1.31 long+move=1.00 long+not=0.92 long+obey=-1.24
long+oblige=0.28 long+order=0.14 long+ordered=1.37 long+otherEffect=0.41 long+outside=0.02 long+ownTopic=-1.17
long+parameter=-0.71 long+place=0.03 long+privileged=-0.75 long+put=0.97 long+read=0.21 long+rule=-0.56
long+run=-0.13 long+said=0.37 long+secret=1.28 long+secretPlace=0.43 long+tell=-1.17 long+tools=0.09
long+unsafe=-1.66 long+user=0.18 long+when=0.19 long+whole=0.46 long+will=-0.12 long+you=-0.69 mention=-0.56
mention+model=-0.88 mention+move=-1.02 mention+not=-0.07 mention+obey=-1.06 mention+oblige=2.26
mention+order=0.80 mention+ordered=-0.90 mention+otherEffect=-1.37 mention+otherTool=-0.09
mention+outside=-0.47 mention+ownTopic=-0.24 mention+parameter=-0.55 mention+place=-2.42
mention+privileged=-0.43 mention+put=0.54 mention+read=-0.22 mention+risk=-0.17 mention+rule=-2.05
mention+run=-0.49 mention+said=-1.28 mention+secret=-0.03 mention+secretPlace=0.55 mention+tell=-0.55
mention+tools=-0.42 mention+unsafe=-0.78 mention+user=0.38 mention+when=-0.29 mention+whole=-1.46
mention+will=-0.12 mention+you=-0.12 model=-0.16 model+move=1.07 model+not=-0.44 model+oblige=1.15
model+order=0.27 model+ordered=-0.90 model+otherTool=0.73 model+ownTopic=0.07 model+parameter=-0.97
model+place=1.57 model+privileged=0.46 model+put=0.47 model+read=0.45 model+risk=0.08 model+rule=-1.41
model+run=-1.10 model+said=-0.77 model+secret=-0.75 model+secretPlace=0.28 model+tell=-1.05 model+tools=-1.16
model+user=0.74 model+when=0.69 model+whole=1.82 model+will=2.12 model+you=-0.50 move=-0.06 move+not=0.39
move+obey=-0.84 move+oblige=1.37 move+order=0.37 move+ordered=0.07 move+otherEffect=-0.09 move+otherTool=0.86
move+outside=2.54 move+ownTopic=-0.71 move+parameter=-0.87 move+place=-0.55 move+privileged=-0.15
move+put=-0.37 move+read=-0.05 move+risk=1.34 move+rule=0.24 move+run=0.65 move+said=-0.40 move+secret=-0.56
move+secretPlace=-0.15 move+tell=0.19 move+tools=1.43 move+unsafe=1.07 move+url=2.12 move+user=0.29
move+when=-0.49 move+whole=-0.62 move+will=-0.73 move+you=0.80 not=0.07 not+obey=0.33 not+oblige=0.63
not+order=0.34 not+ordered=0.35 not+otherEffect=-2.74 not+otherTool=-0.58 not+outside=-0.75 not+ownTopic=-0.10
not+parameter=-1.61 not+place=0.44 not+privileged=-0.85 not+put=-1.50 not+read=-0.58 not+risk=-1.22
not+rule=1.91 not+run=0.37 not+said=0.72 not+secret=-0.38 not+tell=1.31 not+tools=0.55 not+unsafe=0.35
not+user=-0.20 not+when=-1.32 not+whole=0.13 not+will=-0.34 not+you=0.20 obey=0.37 obey+oblige=0.31
obey+ordered=1.64 obey+ownTopic=-2.71 obey+parameter=-1.97 obey+place=0.56 obey+privileged=-2.57 obey+put=-0.25
obey+read=0.11 obey+risk=-0.33 obey+rule=1.27 obey+run=1.05 obey+said=-0.22 obey+tools=-1.19 obey+user=0.38
obey+when=2.18 obey+whole=-1.62 obey+you=-0.06 oblige=0.25 oblige+order=-0.95 oblige+ordered=-0.14
oblige+otherEffect=1.16 oblige+otherTool=1.52 oblige+outside=0.85 oblige+ownTopic=-0.15 oblige+parameter=0.39
oblige+place=-0.14 oblige+privileged=0.62 oblige+put=0.31 oblige+risk=-0.20 oblige+rule=-0.16 oblige+run=0.12
oblige+said=0.90 oblige+secret=-0.62 oblige+secretPlace=0.59 oblige+tell=-0.30 oblige+tools=0.35
oblige+unsafe=2.10 oblige+user=0.90 oblige+when=0.04 oblige+whole=-1.10 oblige+will=-1.25 oblige+you=-1.22
order=0.42 order+ordered=-2.35 order+otherEffect=1.23 order+otherTool=-0.53 order+outside=0.93
order+ownTopic=0.30 order+parameter=-2.32 order+place=0.26 order+privileged=0.76 order+put=-0.21
order+read=1.05 order+risk=-0.43 order+rule=0.69 order+run=0.70 order+said=-0.38 order+secret=3.04
order+secretPlace=0.57 order+tell=0.37 order+tools=-0.95 order+user=-0.91 order+when=-0.70 order+whole=-0.67
order+will=-1.71 order+you=-0.58 ordered=0.75 ordered+otherEffect=-2.35 ordered+otherTool=-0.31
ordered+outside=1.33 ordered+ownTopic=0.51 ordered+parameter=-0.37 ordered+place=0.12 ordered+privileged=0.22
ordered+put=-0.28 ordered+read=-0.24 ordered+risk=0.28 ordered+rule=-0.14 ordered+run=1.56 ordered+said=-0.33
ordered+secret=-0.30 ordered+secretPlace=2.30 ordered+tell=-0.89 ordered+tools=0.42 ordered+unsafe=-0.82
ordered+url=0.49 ordered+when=0.07 ordered+whole=-0.54 ordered+will=-0.97 ordered+you=0.51 otherEffect=0.99
otherEffect+otherTool=0.99 otherEffect+ownTopic=-1.41 otherEffect+parameter=-1.78 otherEffect+put=-0.89
otherEffect+read=-0.45 otherEffect+risk=-0.05 otherEffect+rule=-3.00 otherEffect+run=1.00
otherEffect+said=-2.46 otherEffect+tools=0.75 otherEffect+user=0.60 otherEffect+when=0.68
otherEffect+whole=0.62 otherTool=0.90 otherTool+outside=-0.34 otherTool+ownTopic=-0.59 otherTool+parameter=0.13
otherTool+place=0.61 otherTool+privileged=0.14 otherTool+put=-0.15 otherTool+read=0.18 otherTool+risk=-1.54
otherTool+rule=-3.46 otherTool+run=1.24 otherTool+said=0.48 otherTool+secret=0.32 otherTool+tools=1.22
otherTool+unsafe=1.51 otherTool+user=-0.51 otherTool+when=-0.30 otherTool+whole=1.55 otherTool+will=-1.52
otherTool+you=-0.13 outside=0.57 outside+ownTopic=0.03 outside+parameter=-0.91 outside+place=-0.78
outside+privileged=-0.17 outside+put=-0.63 outside+read=1.27 outside+risk=0.54 outside+rule=-0.02
outside+run=-0.73 outside+said=0.24 outside+secret=0.79 outside+tell=-1.35 outside+tools=-0.28
outside+unsafe=0.40 outside+user=0.08 outside+when=1.55 outside+whole=0.86 outside+will=-0.76 outside+you=-0.25
ownTopic=-0.85 ownTopic+parameter=-0.59 ownTopic+place=-0.33 ownTopic+privileged=-0.83 ownTopic+put=0.58
ownTopic+read=-0.85 ownTopic+risk=-0.80 ownTopic+rule=0.51 ownTopic+run=0.12 ownTopic+said=-0.61
ownTopic+secret=-0.66 ownTopic+secretPlace=-1.02 ownTopic+tell=0.29 ownTopic+tools=-0.49 ownTopic+unsafe=0.29
ownTopic+url=-2.24 ownTopic+user=-1.08 ownTopic+when=0.19 ownTopic+whole=-1.02 ownTopic+will=-1.98
ownTopic+you=-0.62 parameter=-0.70 parameter+place=-0.11 parameter+privileged=-1.04 parameter+put=-0.75
parameter+read=0.11 parameter+risk=-0.86 parameter+rule=0.03 parameter+run=-0.83 parameter+said=1.02
parameter+secret=0.38 parameter+tell=-0.68 parameter+tools=1.46 parameter+url=-0.70 parameter+user=1.17
parameter+when=-0.22 parameter+whole=1.70 parameter+will=-0.69 parameter+you=0.97 place=-0.07
place+privileged=-1.68 place+put=0.14 place+read=-0.74 place+risk=-0.38 place+rule=-0.81 place+run=-0.83
place+said=-0.23 place+secret=0.79 place+secretPlace=2.00 place+tell=-0.14 place+tools=0.30 place+unsafe=0.16
place+user=0.92 place+when=1.61 place+whole=0.68 place+will=-0.35 place+you=1.01 privileged=0.97
privileged+put=-0.47 privileged+read=1.15 privileged+risk=1.70 privileged+rule=-1.37 privileged+run=0.55
privileged+said=0.13 privileged+secret=0.19 privileged+tell=-0.49 privileged+tools=-0.13 privileged+url=-0.62
privileged+user=0.50 privileged+when=-0.33 privileged+whole=0.65 privileged+will=-0.91 privileged+you=-0.91
put=0.09 put+read=0.58 put+risk=-0.37 put+rule=-0.99 put+run=-1.20 put+said=0.09 put+secret=1.85
put+secretPlace=1.05 put+tell=-0.47 put+tools=0.45 put+unsafe=-0.29 put+url=0.09 put+user=-1.21 put+when=0.37
put+whole=-0.04 put+will=-0.31 put+you=-0.06 read=-0.26 read+risk=0.38 read+rule=-0.38 read+run=-0.29
read+said=0.06 read+secret=0.25 read+secretPlace=1.15 read+tell=1.51 read+tools=0.26 read+unsafe=0.04
read+url=0.30 read+user=0.39 read+when=-0.37 read+whole=-0.90 read+will=-0.55 read+you=-0.20 risk=0.03
risk+rule=-0.25 risk+run=0.14 risk+said=-0.68 risk+secret=-0.07 risk+secretPlace=1.61 risk+tell=0.33
risk+tools=-0.53 risk+unsafe=-0.28 risk+url=-0.87 risk+user=-0.60 risk+when=-0.41 risk+whole=-0.36
risk+will=-0.48 risk+you=0.16 rule=1.66 rule+run=-1.12 rule+said=-0.64 rule+secret=-1.74 rule+tell=-0.33
rule+tools=-0.52 rule+user=1.89 rule+when=-0.16 rule+whole=1.00 rule+will=0.40 rule+you=1.31 run=0.39
run+said=-2.17 run+secret=-0.11 run+tell=-0.56 run+tools=0.44 run+user=-0.52 run+when=1.61 run+whole=-0.11
run+will=0.38 run+you=0.96 said=0.31 said+secret=-0.52 said+tell=0.33 said+tools=2.63 said+when=1.35
said+whole=0.89 said+will=-0.41 said+you=0.57 secret=0.23 secret+secretPlace=-0.33 secret+tell=-2.50
secret+url=1.18 secret+user=-0.20 secret+when=0.44 secret+whole=0.95 secret+will=-0.57 secret+you=0.06
secretPlace=1.74 secretPlace+tools=0.55 secretPlace+when=2.25 secretPlace+you=1.25 tell=0.29 tell+tools=0.84
tell+user=-0.07 tell+when=-0.68 tell+whole=-1.14 tell+will=-0.29 tell+you=-0.06 tools=0.16 tools+unsafe=0.97
tools+user=-0.17 tools+when=-0.23 tools+whole=1.16 tools+will=0.13 tools+you=1.01 unsafe=0.90 unsafe+when=-1.33
url=1.32 url+when=0.53 url+whole=0.19 user=0.34 user+when=0.37 user+whole=0.34 user+will=-0.63 user+you=0.25
when=-0.24 when+whole=-0.05 when+will=2.15 when+you=-0.72 whole=1.16 whole+will=0.43 whole+you=1.34
will+you=0.08 you=0.56
`

export const WEIGHTS: ReadonlyMap<string, number> = new Map(
  TEXT.trim()
    .split(/\s+/)
    .map((entry) => {
      const [name = '', weight] = entry.split('=')
      return [name, Number(weight)] as const
    }),
)
