resource "terraform_data" "script" {
  input = <<-EOT
    echo step 1
    echo step 2
    echo step 3
    echo step 4
    echo step 5
    echo step 6
    echo step 7
    echo step 8
    echo step 9
    echo step 10
    echo step 11
    echo step 12
    echo step 13
    echo step 14
    echo step 15
    echo step 16
    echo step 17
    echo step 18
    echo step 19
    echo changed 20
    echo step 21
    echo step 22
    echo step 23
    echo step 24
    echo step 25
    echo step 26
    echo step 27
    echo step 28
    echo step 29
    echo step 30
    echo step 31
    echo step 32
    echo step 33
    echo step 34
    echo step 35
    echo step 36
    echo step 37
    echo step 38
    echo step 39
    echo step 40
  EOT
}
resource "terraform_data" "manifest" {
  input = <<-EOT
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: web
      labels:
        app: web
    spec:
      replicas: 3
      template:
        spec:
          containers:
            - name: web
              image: web:2
            - name: sidecar
              image: sidecar:1
  EOT
}
resource "terraform_data" "policy" {
  input = jsonencode({ Version = "2012-10-17", Statement = [
    { Sid = "new", Effect = "Allow", Action = "z:1", Resource = "*" },
    { Sid = "read", Effect = "Allow", Action = ["s3:GetObject", "s3:ListBucket", "s3:GetObjectVersion"], Resource = "*" },
    { Sid = "write", Effect = "Deny", Action = ["s3:PutObject"], Resource = "arn:aws:s3:::b/*" },
  ] })
}
resource "terraform_data" "line" {
  input = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-changed-yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"
}
