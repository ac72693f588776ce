// Alerts on logs, since the metric QueueMessageCount knows the account only, once an hour. And the workbook.
param workspaceName string
param actionGroupName string
param alertEmail string
param location string
param tags object
@description('Queues whose poison queues are watched.')
param queues array
param queueAgeMinutes int
param failurePercent int

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-02-01' existing = {
  name: workspaceName
}

resource actionGroup 'Microsoft.Insights/actionGroups@2023-01-01' = {
  name: actionGroupName
  location: 'global'
  tags: tags
  properties: {
    enabled: true
    groupShortName: 'decant'
    emailReceivers: empty(alertEmail) ? [] : [{ name: 'mail', emailAddress: alertEmail, useCommonAlertSchema: true }]
  }
}

// decant logs one JSON object a line; the host puts it into Message.
var lines = 'AppTraces | where Message startswith "{" | extend line = parse_json(Message)'
var ended = '${lines} | where line.msg == "document" and isnotempty(line.state)'
var poisonQueues = join(map(queues, queue => '"${queue}-poison"'), ', ')

var rules = [
  {
    name: 'decant-poison'
    title: 'decant: messages moved to a poison queue'
    text: 'The host gave up on a message. Look with decant status --state poisoned, mend the cause, then decant redrive.'
    severity: 2
    window: 'PT5M'
    threshold: 0
    mitigate: false
    query: 'AppTraces | where Message has "MaxDequeueCount" and Message has_any (${poisonQueues})'
  }
  {
    name: 'decant-failures'
    title: 'decant: many documents fail'
    text: 'More than the allowed share of documents ended in failed or poisoned within 15 minutes (at least 10 documents).'
    severity: 2
    window: 'PT15M'
    threshold: 0
    mitigate: true
    query: '${ended} | summarize bad = countif(line.state in ("failed", "poisoned")), total = count() | where total >= 10 and 100 * bad > ${failurePercent} * total'
  }
  {
    name: 'decant-queue-age'
    title: 'decant: messages wait too long'
    text: 'The oldest message of a queue waits longer than allowed: the app does not run, or maximumInstanceCount is too low.'
    severity: 2
    window: 'PT15M'
    threshold: 0
    mitigate: true
    query: '${lines} | where line.msg == "queue" and todouble(line.oldestSeconds) > ${queueAgeMinutes * 60}'
  }
  {
    name: 'decant-drain'
    title: 'decant: instances are drained again and again'
    text: 'More than 20 shutdowns in an hour. Each costs the documents in work one attempt.'
    severity: 3
    window: 'PT1H'
    threshold: 20
    mitigate: true
    query: '${lines} | where line.msg == "shutting down"'
  }
]

resource alertRules 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = [for rule in rules: {
  name: rule.name
  location: location
  tags: tags
  kind: 'LogAlert'
  properties: {
    displayName: rule.title
    description: rule.text
    enabled: true
    severity: rule.severity
    scopes: [workspace.id]
    evaluationFrequency: rule.window
    windowSize: rule.window
    autoMitigate: rule.mitigate
    // A new workspace has no tables yet.
    skipQueryValidation: true
    criteria: {
      allOf: [
        {
          query: rule.query
          timeAggregation: 'Count'
          operator: 'GreaterThan'
          threshold: rule.threshold
          failingPeriods: { numberOfEvaluationPeriods: 1, minFailingPeriodsToAlert: 1 }
        }
      ]
    }
    actions: { actionGroups: [actionGroup.id] }
  }
}]

resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid(workspace.id, 'decant')
  location: location
  tags: tags
  kind: 'shared'
  properties: {
    displayName: 'decant'
    category: 'workbook'
    sourceId: workspace.id
    serializedData: loadTextContent('../workbook.json')
    version: '1.0'
  }
}
