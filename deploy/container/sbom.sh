#!/usr/bin/env bash
# Writes what the image is made of as SPDX 2.3: each Debian package with its version, source package and checksum of
# its list of files, as dpkg-query knows them. Runs where dpkg still is; the image itself has none.
set -euo pipefail
# Of the commit where deploy/image.sh builds, so that the same tree gives the same file; else of the build.
created=$(date --utc --date "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%Y-%m-%dT%H:%M:%SZ)
cat << HEAD
SPDXVersion: SPDX-2.3
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: trestle-image
DocumentNamespace: urn:trestle:image:$(dpkg-query --show --showformat='${Version}' trestle)
Creator: Tool: dpkg-query-$(dpkg-query --show --showformat='${Version}' dpkg)
Created: $created
HEAD
dpkg-query --show --showformat='${db:Status-Abbrev} ${Package} ${Version} ${source:Package} ${source:Version} ${Architecture}\n' |
  while read -r state package version source source_version architecture; do
    [[ $state == i* ]] || continue
    supplier=Debian origin=deb/debian
    [[ $package != trestle ]] || supplier='The authors of Trestle' origin=generic
    id=${package//[^A-Za-z0-9.-]/-}
    cat << PACKAGE

PackageName: $package
SPDXID: SPDXRef-Package-$id
PackageVersion: $version
PackageSupplier: Organization: $supplier
PackageDownloadLocation: NOASSERTION
FilesAnalyzed: false
PackageSourceInfo: built from source package $source $source_version
PackageLicenseConcluded: NOASSERTION
PackageLicenseDeclared: NOASSERTION
PackageCopyrightText: NOASSERTION
ExternalRef: PACKAGE-MANAGER purl pkg:$origin/$package@${version//+/%2B}?arch=$architecture
Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-Package-$id
PACKAGE
  done
